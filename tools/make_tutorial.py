#!/usr/bin/env python3
"""Writes docs/tutorial.ipynb: the cells below, run once, with what they print and draw.

    .venv/bin/python tools/make_tutorial.py            # runs the cells, writes the notebook
    .venv/bin/python tools/make_tutorial.py OTHER.ipynb

Two runs on one machine give the same file: cells have numbers for ids, times are left out, and
nothing shown depends on the clock or on where the notebook lies.
"""

import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "tutorial.ipynb"

# "# %% text" begins a cell of Markdown, "# %%" one of code.
CELLS = """
# %% text
# Rules that you can read: a tutorial

FRR learns a classifier of a few IF-THEN rules. This notebook shows it from Python, first on
numbers alone (tumours), then on a table as tables are: with names, missing values and a code that
only looks like a number (loans).

You need `pip install .` in FRR's directory, and `pip install pandas matplotlib`. All cells
together take less than a minute.

## 1. Tumours

569 tumours, 30 measurements each. We put a quarter aside to test on. The classes are names rather
than 0 and 1, because names are what the rules will show.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split

from frr import (
    FRRClassifier, FuzzyTransformer, plot_partition, plot_path, plot_rules
)

plt.rcParams["figure.dpi"] = 60

data = load_breast_cancer(as_frame=True)
X = data.data
y = data.target.map(lambda number: str(data.target_names[number])).rename("tumour")
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)
y_train.value_counts()

# %% text
### Five rules of two conditions

`max_rules` and `max_conditions` are hard limits. You choose how much you are willing to read; FRR
looks for the best it can do within that. Nothing needs to be scaled.

# %%
model = FRRClassifier(max_rules=5, max_conditions=2).fit(X_train, y_train)
model.rules_

# %% text
That is the whole model. To classify a tumour, take for each rule how far it is true (between 0
and 1; the degrees of its conditions multiplied), times the rule's **weight**, and let the largest
product decide. Where no rule is true at all, ELSE decides. The weights matter by comparison
alone: a rule of weight 0.2 gives way to one of weight 1 that is more than a fifth as true.

**support** is how many training rows the rule decides, **right** how many of these are of its
class. So you see at once which rules carry the model and which are there for a handful of cases.
`model.to_frame()` gives the same as a DataFrame.

# %% text
### How good is it?

Beside it: a tree of depth 3, which can be read as well, and a forest, which cannot. The size is
what there is to read: conditions for rules, splits for trees.

# %%
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X_train, y_train)
forest = RandomForestClassifier(random_state=0).fit(X_train, y_train)

def splits(tree):
    return int((tree.tree_.feature >= 0).sum())

pd.DataFrame(
    {
        "accuracy on the test rows": [m.score(X_test, y_test) for m in (model, tree, forest)],
        "size": [
            model.complexity_.conditions, splits(tree), sum(map(splits, forest.estimators_))
        ],
    },
    index=["FRR, 5 rules", "tree of depth 3", "forest of 100 trees"],
).round(3)

# %% text
One split of 143 test rows says little about a difference of a few rows. Cross-validation
says more: the mean of five folds, and its standard error.

# %%
def cross_validated(model):
    scores = cross_val_score(model, X, y, cv=5)
    return {"mean": scores.mean(), "standard error": scores.std(ddof=1) / len(scores) ** 0.5}

pd.DataFrame(
    {
        "FRR, 5 rules of 2": cross_validated(FRRClassifier(max_rules=5, max_conditions=2)),
        "FRR, default (15 of 3)": cross_validated(FRRClassifier()),
        "tree of depth 3": cross_validated(DecisionTreeClassifier(max_depth=3, random_state=0)),
        "forest of 100 trees": cross_validated(RandomForestClassifier(random_state=0)),
    }
).T.round(3)

# %% text
### How many rules are enough?

`plot_path` cross-validates with 1, 2, 3, ... rules. The band is the standard error. The dotted
line is one standard error below the best: the smallest budget above it is as good as the best, as
far as these data can tell.

# %%
plot_path(FRRClassifier(max_conditions=2), X, y, budgets=range(1, 7), cv=3);

# %% text
### What does "high" mean?

Words are not enough. Every label is a range with soft borders, placed where it tells most about
the class, and shared by all rules that use it.

# %%
plot_partition(model, "worst area");

# %% text
In the slopes a value belongs to two labels, to some degree each. `to_text` writes the rules and
the borders of every label that a rule uses, just as the program `frr rules` prints them.

# %%
print(model.to_text())

# %% text
### Which rules carry the model?

# %%
plot_rules(model);

# %% text
### Why did this patient get this answer?

`explain` gives one explanation a row. Let us ask about the test row that a rule decides with the
least margin over a rule of the other class.

# %%
margin = np.abs(model.decision_function(X_test))
unsure = np.where(model.apply(X_test) >= 0, margin, np.inf).argmin()
patient = X_test.iloc[[unsure]]
why = model.explain(patient)[0]
print(why)
print("in truth:", y_test.iloc[unsure])

# %% text
The last lines are counterfactuals: the nearest value of a single measurement, all others as they
are, with which the answer would be another one. `counterfactual` is the nearest of them. We can
check it.

# %%
change = why.counterfactual
changed = patient.assign(**{change.feature: change.new_value})
print(f"{change.feature}: {change.value} -> {change.new_value}")
print(model.predict(patient)[0], "->", model.predict(changed)[0])

# %% text
### Probabilities

A row's probability is the share of its class among the training rows that the same rule decides.
So there are as many different probabilities as rules, and it is easy to see how far they hold on
rows that the model has not seen. `apply` says which rule decides a row; -1 is ELSE.

# %%
probability = model.predict_proba(X_test)[:, list(model.classes_).index("malignant")]
pd.DataFrame(
    {
        "rule": model.apply(X_test) + 1,
        "predicted share of malignant": probability,
        "true share": y_test == "malignant",
        "test rows": 1,
    }
).groupby("rule").agg(
    {"predicted share of malignant": "mean", "true share": "mean", "test rows": "sum"}
).rename(index={0: "ELSE"}).round(3)

# %% text
Where finer probabilities are needed than one a rule, scikit-learn's `CalibratedClassifierCV`
makes them from the scores; smaller is better here. The rules stay what you read, the
probabilities come from five models then.

# %%
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import brier_score_loss

calibrated = CalibratedClassifierCV(
    FRRClassifier(max_rules=5, max_conditions=2), cv=5
).fit(X_train, y_train)
for name, own in (("one a rule", model), ("calibrated", calibrated), ("forest", forest)):
    loss = brier_score_loss(y_test, own.predict_proba(X_test)[:, 1], pos_label="malignant")
    print(f"{name:12} Brier score {loss:.3f}")

# %% text
## 2. Loans

Tables are rarely made of clean numbers. We make one up, so that we know the truth: loans are
mostly repaid, unless

- the income is low and the debt high,
- there is neither work nor a guarantor,
- the loan comes from branch 20, which checks little,
- the income is not given; mostly people with a business of their own leave it out.

People under 26 default more often than others, too, but most of them do not.

# %%
rng = np.random.default_rng(0)
n = 3000
income = rng.lognormal(3.6, 0.45, n).round(1)
debt = rng.exponential(10, n).round(1)
age = rng.integers(18, 80, n)
work = rng.choice(["salary", "business", "none"], n, p=[0.65, 0.25, 0.1])
guarantor = rng.random(n) < 0.3
branch = rng.choice([10, 20, 30, 40, 50, 60, 70, 80], n)
hidden = rng.random(n) < np.where(work == "business", 0.3, 0.02)

risk = np.full(n, 0.03)
risk[age < 26] = 0.4
risk[hidden] = 0.7
risk[branch == 20] = 0.8
risk[(income < 30) & (debt > 12)] = 0.9
risk[(work == "none") & ~guarantor] = 0.9

loans = pd.DataFrame(
    {
        "income": np.where(hidden, np.nan, income),
        "debt": debt,
        "age": age,
        "work": pd.Categorical(work),
        "guarantor": guarantor,
        "branch": branch,
    }
)
outcome = pd.Series(np.where(rng.random(n) < risk, "defaulted", "repaid"), name="outcome")
loans.head()

# %% text
### Names and missing values go in as they are

No encoder, no imputer. Columns of names (`category`, `str`, `bool`) get one label a value;
numbers get low, medium, high; where values are missing, "missing" is a label like any other.

# %%
L_train, L_test, o_train, o_test = train_test_split(
    loans, outcome, stratify=outcome, random_state=0
)
plain = FRRClassifier(max_rules=6, max_conditions=2).fit(L_train, o_train)
print(f"accuracy on the test rows: {plain.score(L_test, o_test):.3f}")
plain.rules_

# %% text
### A code that looks like a number

A "medium" branch makes no sense: the numbers of branches have no order. `categorical_features`
says which columns hold codes, by name, index or mask.

# %%
model = FRRClassifier(max_rules=6, max_conditions=2, categorical_features=["branch"])
model.fit(L_train, o_train)
print(f"accuracy on the test rows: {model.score(L_test, o_test):.3f}")
model.rules_

# %% text
These are the four ways to lose a loan that we put in; two rules of the six that we allowed are
not needed. All weights are the same here, which says that no rule gives way to another.

A row whose income is missing is explained like any other. (A category that training has not seen
belongs to no label: rules that speak of other columns, or ELSE, decide.)

# %%
elsewhere = L_test[L_test["income"].isna() & (L_test["branch"] != 20)]
print(model.explain(elsewhere.head(1))[0])

# %% text
### Your own labels

Where your field has its own words and borders, give them as trapezoids `[a, b, c, d]`: rising
from a to b, falling from c to d, `None` for an open end. Columns that you do not name get their
labels from the data. Your borders are kept as they are.

A small weight is a way to say "unless": a rule of weight 0.005 decides only where rules of much
larger weight are hardly true.

# %%
own_labels = {
    "income": {
        "poor": [None, None, 25, 30],
        "middle": [25, 30, 60, 70],
        "rich": [60, 70, None, None],
    },
    "debt": {
        "bearable": [None, None, 12, 12],
        "heavy": [12, 12, None, None],
    },
}
spoken = FRRClassifier(
    max_rules=6, max_conditions=2, categorical_features=["branch"], partition=own_labels
).fit(L_train, o_train)
print(f"accuracy on the test rows: {spoken.score(L_test, o_test):.3f}")
spoken.rules_

# %% text
### Classes that count more

If a default that is overlooked costs more than a good loan that is refused, say so. A dict gives
each class its weight; `class_weight="balanced"` lets all classes count the same, which changes
little here where one loan in three defaults. More defaults are found for more that are feared: it
is for you to say what they are worth.

# %%
from sklearn.metrics import balanced_accuracy_score, recall_score

def judged(class_weight):
    own = FRRClassifier(
        max_rules=6, max_conditions=2, categorical_features=["branch"], class_weight=class_weight
    )
    answers = own.fit(L_train, o_train).predict(L_test)
    return {
        "accuracy": (answers == o_test).mean(),
        "balanced accuracy": balanced_accuracy_score(o_test, answers),
        "defaults found": recall_score(o_test, answers, pos_label="defaulted"),
        "defaults feared": (answers == "defaulted").mean(),
    }

pd.DataFrame(
    {name: judged(weight) for name, weight in {
        "none": None, "balanced": "balanced", "defaulted: 2.5": {"defaulted": 2.5},
    }.items()}
).T.round(3)

# %% text
### Rows that count more

`sample_weight` weighs single rows. Whole numbers mean repetitions: a row of weight 2 is exactly
two rows, and a row of weight 0 is none. So a table of counts needs no unfolding.

# %%
times = rng.integers(0, 3, len(L_train))
weighted = FRRClassifier(max_rules=6).fit(L_train, o_train, sample_weight=times)
unfolded = FRRClassifier(max_rules=6).fit(
    L_train.loc[L_train.index.repeat(times)], o_train.repeat(times)
)
weighted.rules_ == unfolded.rules_

# %% text
### Part of scikit-learn

The classifier goes where any other goes: into a `Pipeline`, a grid search, a `ColumnTransformer`.
Here a step adds a column, and the number of rules is chosen by cross-validation.

# %%
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

def add_burden(loans):
    return loans.assign(burden=(loans["debt"] / loans["income"]).round(3))

pipeline = make_pipeline(
    FunctionTransformer(add_burden),
    FRRClassifier(max_conditions=2, categorical_features=["branch"]),
)
search = GridSearchCV(pipeline, {"frrclassifier__max_rules": [2, 4, 6, 8]}, cv=3)
search.fit(L_train, o_train)
print(f"accuracy on the test rows: {search.score(L_test, o_test):.3f}")
pd.DataFrame(search.cv_results_)[
    ["param_frrclassifier__max_rules", "mean_test_score", "std_test_score"]
].round(3)

# %% text
### Save, load, and hand over

`save` writes one JSON file that people can read, too. It does not depend on versions of Python,
as a pickle does. The program `frr`, which `pip` has installed beside Python, reads the same file.
In a shell: `frr rules loans.json` shows the rules, `frr predict loans.json new.csv` predicts.

# %%
model.save("loans.json")
loaded = FRRClassifier.load("loans.json")
bool((loaded.predict(L_test) == model.predict(L_test)).all())

# %%
import subprocess
import sysconfig
from pathlib import Path

frr = Path(sysconfig.get_path("scripts")) / "frr"
rules = subprocess.run([frr, "rules", "loans.json"], capture_output=True, text=True, check=True)
print(rules.stdout.split("\\n\\n")[0])

# %% text
### Labels for other learners

`FuzzyTransformer` turns each column into its degrees of membership. A linear model on top of
these has coefficients with names that say what they are about, and needs neither scaling nor
imputation.

# %%
from sklearn.linear_model import LogisticRegression

fuzzy = FuzzyTransformer(partition="supervised", categorical_features=["branch"])
linear = make_pipeline(fuzzy, LogisticRegression()).fit(L_train, o_train)
print(f"accuracy on the test rows: {linear.score(L_test, o_test):.3f}")
print("towards", linear[-1].classes_[1])
pd.Series(linear[-1].coef_[0], linear[:-1].get_feature_names_out()).sort_values().round(2)

# %% text
## Where to go from here

- [python.md](python.md): the guide to the package. `help(FRRClassifier)` lists every parameter.
- [method.md](method.md): what is computed. [model.md](model.md): the file.
  [partition.md](partition.md): labels of your own.
- On a large table or a busy machine: `n_jobs=-1` uses all cores, `verbose=1` shows a progress
  bar, `time_limit=60` stops with the best rules so far, Ctrl-C at once.
"""


def build() -> nbformat.NotebookNode:
    """The notebook, not yet run."""
    cells = []
    for number, part in enumerate(CELLS.strip().split("# %%")[1:], 1):
        kind, text = part.split("\n", 1)
        cell = (new_markdown_cell if kind.strip() == "text" else new_code_cell)(text.strip())
        cell["id"] = f"cell-{number:02}"
        cells.append(cell)
    notebook = new_notebook(cells=cells)
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return notebook


def run(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Runs all cells in an empty directory; an error is raised."""
    metadata = dict(notebook.metadata)
    with tempfile.TemporaryDirectory() as directory:
        client = NotebookClient(
            notebook,
            timeout=300,
            extra_arguments=["--IPKernelApp.log_level=40"],
            kernel_name="python3",
            record_timing=False,
            coalesce_streams=True,  # else a print may come in two outputs, by chance
            resources={"metadata": {"path": directory}},
        )
        client.execute()
    notebook.metadata = metadata  # without the versions that the kernel adds
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", ()):
            if "metadata" in output:
                output.metadata = {}
    return notebook


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else NOTEBOOK
    notebook = run(build())
    nbformat.validate(notebook)
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
