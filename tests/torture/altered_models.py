"""Whatever a model file contains, commands end soon with a result or a clear error."""

import json
import random
from typing import Any

from program import BAD_DATA, OK, QUICK, Program
from tables import ordinary

VALUES = [None, True, -1, 0, 0.5, 1e308, -1e-320, 10**400, "", "x", "\u202e", [], {}, [[]], ["p", "p"],
          {"p": 1e300}, "NaN", "sufficient", "additive", "aczel-alsina:1e9", "/dev/zero"]


def places(value: Any, path: tuple = ()) -> list[tuple]:
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) \
        else ()
    for key, member in items:
        found += places(member, (*path, key))
    return found


def altered(model: Any, rng: random.Random) -> Any:
    for _ in range(rng.randint(1, 3)):
        *way, last = rng.choice(places(model))
        parent = model
        for key in way:
            parent = parent[key]
        action = rng.randint(0, 2)
        if action == 0:
            del parent[last]
        elif action == 1:
            parent[last] = rng.choice(VALUES)
        elif isinstance(parent, dict):
            parent[rng.choice(("x", "class", "missing", "partition-file", "\x1b"))] = parent[last]
        else:
            parent.append(parent[last])
        if not places(model):
            break
    return model


def check(frr: Program, rng: random.Random) -> None:
    frr.write("data.csv", ordinary(rng))
    frr("train", "data.csv", "-o", "model.json", *QUICK).ends_with(OK)
    text = json.dumps(altered(json.loads(frr.read("model.json")), rng))
    if rng.random() < 0.3:
        at = rng.randint(0, len(text))
        text = text[:at] + rng.choice(("", "{", '"', "]", "[" * 5000, "\\ud800", "1e999")) + \
            text[at + rng.randint(0, 20):]
    frr.write("model.json", text)
    for command in (["rules"], ["predict", "data.csv"], ["explain", "data.csv", "--row", 2],
                    ["report", "data.csv", "-o", "page.html"],
                    ["export", "--to", rng.choice(("sql", "c", "python", "javascript", "pmml"))]):
        frr(command[0], "model.json", *command[1:]).ends_with(OK, BAD_DATA)
