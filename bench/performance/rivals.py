"""The programs that prediction is compared with, each a server as child.Server asks for.

    python rivals.py trees TRAIN.csv TABLE.csv    scikit-learn's tree of 15 leaves and XGBoost
    python rivals.py read TABLE.csv               pandas' read_csv
    python rivals.py python-fit TABLE.csv [EPOCHS AUGMENT]
                                                  FRR's own Python package
    python rivals.py python-predict MODEL TABLE.csv float64|float32

TRAIN.csv is what the learners are trained on; the rows of TABLE.csv, in memory, are predicted.
Every line that is read names what to time; the seconds are printed.
"""

import json
import sys
import time


# What is compared with frr_bench is taken in processor time as there; what is compared with a
# whole program, in wall time.
CLOCKS = {"trees": time.process_time, "read": time.perf_counter, "python-fit": time.perf_counter,
          "python-predict": time.process_time}


def seconds_of(prepare, work, clock) -> float:
    """Of work(prepare()), the preparation left out."""
    given = prepare()
    start = clock()
    work(given)
    return clock() - start


def trees(train: str, table: str) -> dict:
    import numpy
    import pandas
    import xgboost
    from sklearn.tree import DecisionTreeClassifier

    def load(path: str) -> tuple[numpy.ndarray, numpy.ndarray]:
        frame = pandas.read_csv(path)
        x = numpy.ascontiguousarray(frame.iloc[:, :-1].to_numpy(numpy.float32))
        return x, frame.iloc[:, -1].astype("category").cat.codes.to_numpy()

    x, y = load(train)
    rows, _ = load(table)
    tree = DecisionTreeClassifier(max_leaf_nodes=15, random_state=0).fit(x, y)
    booster = xgboost.train({"objective": "binary:logistic", "max_depth": 6, "nthread": 1,
                             "seed": 0}, xgboost.DMatrix(x, y), num_boost_round=100)
    # XGBoost remembers what it has predicted for a DMatrix: every measurement gets a new one.
    return {"tree": (lambda: rows, tree.predict),
            "xgboost inplace": (lambda: rows, booster.inplace_predict),
            "xgboost matrix": (lambda: xgboost.DMatrix(rows), booster.predict)}


def read(table: str) -> dict:
    import pandas

    return {"pandas": (lambda: table, pandas.read_csv)}


def python_fit(table: str, epochs: str = "", augment: str = "") -> dict:
    import frr
    import pandas

    frame = pandas.read_csv(table)
    x, y = frame.iloc[:, :-1].to_numpy(), frame.iloc[:, -1].to_numpy()
    options = {"augment": int(augment), "advanced": {"epochs": int(epochs)}} if epochs else {}
    return {"fit": (lambda: frr.FRRClassifier(n_jobs=1, **options), lambda own: own.fit(x, y))}


def python_predict(model: str, table: str, form: str) -> dict:
    import frr
    import numpy
    import pandas

    estimator = frr.FRRClassifier.load(model)
    rows = numpy.ascontiguousarray(pandas.read_csv(table).iloc[:, :-1].to_numpy(form))
    columns = numpy.asfortranarray(rows)
    return {"rows": (lambda: rows, estimator.predict),
            "columns in Python": (lambda: columns, estimator.predict)}


WAYS = {"trees": trees, "read": read, "python-fit": python_fit, "python-predict": python_predict}


def main() -> None:
    ways = WAYS[sys.argv[1]](*sys.argv[2:])
    print(json.dumps(list(ways)), flush=True)
    for line in sys.stdin:
        print(f"{seconds_of(*ways[line.strip()], CLOCKS[sys.argv[1]]):.9g}", flush=True)


if __name__ == "__main__":
    main()
