"""The programs with which FRR is compared, as servers for child.Server.

    python rivals.py trees TRAIN.csv TABLE.csv    scikit-learn's tree of 15 leaves and XGBoost
    python rivals.py read TABLE.csv               pandas' read_csv
    python rivals.py python-fit TABLE.csv [EPOCHS AUGMENT]
                                                  the Python package of FRR
    python rivals.py python-predict MODEL TABLE.csv float64|float32

The learners are trained on TRAIN.csv and predict the rows of TABLE.csv in memory. Every line of input names a
measurement; the output is its seconds.
"""

import json
import sys
import time


# Comparisons with frr_bench use processor time, as frr_bench does; comparisons with whole programs
# use wall time.
CLOCKS = {"trees": time.process_time, "read": time.perf_counter, "python-fit": time.perf_counter,
          "python-predict": time.process_time}


def seconds_of(prepare, work, clock) -> float:
    """The seconds of work(prepare()) without the preparation."""
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
    # XGBoost caches the predictions for a DMatrix, so every measurement gets a new one.
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
    return {"fit": (lambda: frr.FRRClassifier(n_jobs=1, **options), lambda model: model.fit(x, y))}


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
