"""A fake frr that prints its arguments, waits, and returns an accuracy that depends on the seed."""

import json
import os
import sys
import time

HELP = "--json --folds --seed --preset --rules --conditions --polish --tune --partition " \
       "--gamma-start --gamma-end --beta-start --beta-end"
arguments = sys.argv[1:]
if arguments == ["--version"]:
    print("frr 0.0.0")
elif arguments[1] == "--help":
    print(HELP)
else:
    with open(os.environ["FAKE_LOG"], "a") as log:
        log.write(" ".join(arguments) + "\n")
    time.sleep(float(os.environ.get("FAKE_SECONDS", "0")))
    seed = int(arguments[arguments.index("--seed") + 1])
    fold = {"accuracy": 90.0 + seed, "train_accuracy": 95.0, "rules": 2, "conditions": 3,
            "unique_conditions": 3, "fit_seconds": 0.1}
    print(json.dumps({"dataset": "made", "rows": 9, "features": 1, "classes": 2, "folds": [fold],
                      "mean": fold}))
