#!/usr/bin/env python3
"""Writes docs/tutorial.ipynb: the cells below with their output.

    .venv/bin/python tools/make_tutorial.py            # runs the cells, writes the notebook
    .venv/bin/python tools/make_tutorial.py OTHER.ipynb

Two runs on one machine give the same file: cell ids are numbers, times are left out, and no output
depends on the clock or on the location of the notebook.
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

FRR learns a classifier that consists of a few IF-THEN rules. This notebook uses it from Python:
first on a table of numbers (tumours), then on a typical table with text columns, missing values
and a code that only looks like a number (loans).

You need `pip install .` in the directory of FRR, and `pip install pandas matplotlib`. Running all
cells takes less than a minute.

## 1. Tumours

The data describes 569 tumours by 30 measurements each. We keep a quarter of the rows for testing.
The classes are names rather than 0 and 1, because the rules will show them.

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

`max_rules` and `max_conditions` are hard limits. You choose how much you are willing to read, and
FRR looks for the best rules within these limits. Nothing needs to be scaled.

# %%
model = FRRClassifier(max_rules=5, max_conditions=2).fit(X_train, y_train)
model.rules_

# %% text
This is the whole model. To classify a tumour, compute the truth of each rule: multiply the
degrees of its conditions, which are between 0 and 1. Then multiply the truth by the **weight**
of the rule. The rule with the largest product decides. If no rule applies, ELSE decides. Only
the ratios of the weights matter: a rule of weight 0.2 loses to a rule of weight 1 whose truth is
more than a fifth as large.

**support** is the number of training rows that the rule decides, and **right** is the percentage
of them that have its class. **lift** says how many times as probable the class is as among all
training rows. `model.to_frame()` gives the same table as a DataFrame.

# %% text
### How good is it?

We compare it with a tree of depth 3, which can also be read, and a forest, which cannot. The
size is the amount to read: conditions for rules, splits for trees.

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
A single split with 143 test rows cannot show small differences reliably. Cross-validation is
better: the table shows the mean over five folds and its standard error.

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

`plot_path` cross-validates with 1, 2, 3, ... rules. The band shows the standard error. The dotted
line is one standard error below the best result. Any number of rules above this line is as good as
the best, as far as this data can tell, so choose the smallest.

# %%
plot_path(FRRClassifier(max_conditions=2), X, y, budgets=range(1, 7), cv=3);

# %% text
### What does "high" mean?

Every label is a range with soft borders. FRR places the borders where they separate the classes
best, and all rules share them.

# %%
plot_partition(model, "worst area");

# %% text
On a slope, a value belongs to two labels, to some degree each. `to_text` returns the rules and the
borders of every label that they use, as `frr rules` prints them.

# %%
print(model.to_text())

# %% text
### Which rules matter most?

# %%
plot_rules(model);

# %% text
### Why did this patient get this answer?

`explain` returns one explanation for each row. We explain the test row in which the deciding
rule has the smallest margin over a rule of the other class.

# %%
explanations = model.explain(X_test)
margins = [np.inf if why.rule is None else why.margin for why in explanations]
unsure = int(np.argmin(margins))
patient = X_test.iloc[[unsure]]
why = model.explain(patient)[0]
print(why)
print("in truth:", y_test.iloc[unsure])

# %% text
The last lines are counterfactuals: the nearest value of a single measurement that would change the
class if all others stay the same. `counterfactual` is the nearest of them. We can verify it.

# %%
change = why.counterfactual
changed = patient.assign(**{change.feature: change.new_value})
print(f"{change.feature}: {change.value} -> {change.new_value}")
print(model.predict(patient)[0], "->", model.predict(changed)[0])

# %% text
### Probabilities

The probability of a class is its share of the training rows that the same rule decides, after one
row is added that is divided like all training rows. There are therefore only as many different
probabilities as rules, and we can check each of them on the test rows. `apply` returns the rule
that decides a row; -1 is ELSE.

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
If you need finer probabilities, use additive rules: the scores of all rules that apply are added,
and each row has its own probability. A smaller Brier score is better.

# %%
from sklearn.metrics import brier_score_loss

additive = FRRClassifier(max_rules=5, max_conditions=2, semantics="additive")
additive.fit(X_train, y_train)
for name, fitted in (("one per rule", model), ("additive", additive), ("forest", forest)):
    loss = brier_score_loss(y_test, fitted.predict_proba(X_test)[:, 1], pos_label="malignant")
    print(f"{name:12} Brier score {loss:.3f}")

# %% text
## 2. Loans

Most tables do not consist of clean numbers. We generate one, so that we know the truth: loans are
mostly repaid, unless

- the income is low and the debt is high,
- the applicant has neither work nor a guarantor,
- the loan comes from branch 20, which checks little,
- the income is missing, mostly for people with their own business.

People under 26 also default more often than others, but most of them repay.

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
### Text columns and missing values need no preparation

You need neither an encoder nor an imputer. Categorical columns (`category`, `str`, `bool`) get one
label for each value, and numbers get low, medium and high. If values are missing, "missing" is a
label like any other.

# %%
L_train, L_test, o_train, o_test = train_test_split(
    loans, outcome, stratify=outcome, random_state=0
)
plain = FRRClassifier(max_rules=6, max_conditions=2).fit(L_train, o_train)
print(f"accuracy on the test rows: {plain.score(L_test, o_test):.3f}")
plain.rules_

# %% text
### A code that looks like a number

A "medium" branch makes no sense, because branch numbers have no order. `categorical_features`
lists the columns that hold codes, by name, by index or as a mask.

# %%
model = FRRClassifier(max_rules=6, max_conditions=2, categorical_features=["branch"])
model.fit(L_train, o_train)
print(f"accuracy on the test rows: {model.score(L_test, o_test):.3f}")
model.rules_

# %% text
The first three rules are three of the four causes of default that we put in. The small weight of
the others expresses "unless": they decide only where the first three hardly apply. They leave the
fourth cause, a low income with a high debt, to ELSE.

A row with missing income is explained like any other. (A category that training has not seen
belongs to no label; rules on other columns or ELSE decide.)

# %%
elsewhere = L_test[L_test["income"].isna() & (L_test["branch"] != 20)]
print(model.explain(elsewhere.head(1))[0])

# %% text
### Your own labels

If your field has established names and borders, give them as trapezoids `[a, b, c, d]`: the degree
rises from a to b and falls from c to d; `None` is an open end. Your borders are kept exactly.
Columns that you do not name get their labels from the data. With these labels, the rules are the
four causes that we put in.

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
### Errors that cost more

If a missed default costs more than a refused good loan, say so: `decide` returns a copy of the
model that predicts the class with the lowest expected cost. The rules and their probabilities
stay the same, so nothing is learned again. With a higher cost, more defaults are found, but more
good loans are refused as well. We use additive rules, because they give each row its own
probability.

`FRRClassifier(costs={"miss": 3})` decides like this from the start, and `threshold=0.25` refuses
loans that default with a probability of at least 25 %.

# %%
from sklearn.metrics import balanced_accuracy_score, recall_score

def judged(model):
    answers = model.predict(L_test)
    return {
        "accuracy": (answers == o_test).mean(),
        "balanced accuracy": balanced_accuracy_score(o_test, answers),
        "defaults found": recall_score(o_test, answers, pos_label="defaulted"),
        "loans refused": (answers == "defaulted").mean(),
    }

additive = FRRClassifier(
    max_rules=6, max_conditions=2, categorical_features=["branch"], semantics="additive"
).fit(L_train, o_train)
pd.DataFrame(
    {f"a miss costs {cost}": judged(additive.decide(positive="defaulted", costs={"miss": cost}))
     for cost in (1, 3, 10)}
).T.round(3)

# %% text
### Rows that count more

`sample_weight` weights single rows. A whole number repeats its row: a row of weight 2 is exactly
two rows, and a row of weight 0 is ignored. You can therefore use a table of counts directly.

# %%
times = rng.integers(0, 3, len(L_train))
weighted = FRRClassifier(max_rules=6).fit(L_train, o_train, sample_weight=times)
unfolded = FRRClassifier(max_rules=6).fit(
    L_train.loc[L_train.index.repeat(times)], o_train.repeat(times)
)
weighted.rules_ == unfolded.rules_

# %% text
### Part of scikit-learn

The classifier works like any other in a `Pipeline`, a grid search or a `ColumnTransformer`.
Here, a first step adds a column, and cross-validation chooses the number of rules.

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
### Save, load and share

`save` writes one JSON file that people can read as well. Unlike a pickle, it does not depend on
the version of Python. The program `frr`, which `pip` has also installed, reads the same file. In
a shell, `frr rules loans.json` shows the rules, and `frr predict loans.json new.csv` predicts.

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

`FuzzyTransformer` turns each column into its degrees of membership. A linear model on these
columns has coefficients with descriptive names, and needs neither scaling nor imputation.

# %%
from sklearn.linear_model import LogisticRegression

fuzzy = FuzzyTransformer(partition="supervised", categorical_features=["branch"])
linear = make_pipeline(fuzzy, LogisticRegression()).fit(L_train, o_train)
print(f"accuracy on the test rows: {linear.score(L_test, o_test):.3f}")
print("towards", linear[-1].classes_[1])
pd.Series(linear[-1].coef_[0], linear[:-1].get_feature_names_out()).sort_values().round(2)

# %% text
## Next steps

- The [Python guide](reference/python.md) describes the package, and `help(FRRClassifier)` lists
  all parameters.
- [The method](explanation/method.md) explains what FRR computes,
  [the model file](reference/model.md) specifies the format, and
  [the label file](reference/partition.md) explains your own labels.
- For large tables, `n_jobs=-1` uses all cores, `verbose=1` shows a progress bar, and
  `time_limit=60` stops with the best rules so far. Ctrl-C stops at once.
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
