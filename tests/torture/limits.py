"""With little memory, little disk space or few open files, the output is the old or the complete new one, and
the exit status is right."""

import random
import resource

from program import BAD_DATA, OK, OUT_OF_MEMORY, QUICK, Program, require
from tables import ordinary

MEGABYTE = 1 << 20


def check(frr: Program, rng: random.Random) -> None:
    frr.write("data.csv", ordinary(rng, rng.choice((50, 5000))))
    frr("train", "data.csv", "-o", "model.json", *QUICK).ends_with(OK)
    frr.write("out", "before")
    command = rng.choice((["train", "data.csv", *QUICK], ["predict", "model.json", "data.csv"],
                          ["predict", "model.json", "data.csv", "--json"],
                          ["report", "model.json", "data.csv"], ["export", "model.json", "--to", "c"]))
    what = rng.choice((resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE))
    most = {resource.RLIMIT_AS: rng.randint(14, 120) * MEGABYTE,
            resource.RLIMIT_FSIZE: rng.choice((0, 1, 100, 4096, 100000)),
            resource.RLIMIT_NOFILE: rng.randint(4, 12)}[what]
    result = frr(*command, "-o", "out", limits={what: most})
    if result.status == 127 or "error while loading shared libraries" in result.err:
        return  # the loader ran out of memory before the program started
    result.ends_with(OK, BAD_DATA, OUT_OF_MEMORY)
    require(frr.names() == {"data.csv", "model.json", "out"}, f"{command}: left a file behind")
    complete = frr(*command, "-o", "complete").ends_with(OK)
    after = frr.read("out")
    if result.status == OK:
        # A report contains the time at which it was written.
        require(after == frr.read("complete") or command[0] == "report",
                f"{complete.command}: success with another result")
        require(after != b"before", "success without a result")
    else:
        require(after == b"before", f"{command}: a failure changed the old output")
