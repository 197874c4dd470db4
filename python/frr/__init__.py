"""FRR: readable rule-based classifiers.

>>> from sklearn.datasets import load_iris
>>> from frr import FRRClassifier
>>> X, y = load_iris(return_X_y=True, as_frame=True)
>>> model = FRRClassifier(max_rules=3).fit(X, y)
>>> len(model.rules_) <= 3
True
"""

from ._classifier import FRRClassifier
from ._core import __version__
from ._evaluate import evaluate
from ._plots import plot_partition, plot_path, plot_rules, plot_training
from ._rules import (
    Change,
    Complexity,
    Condition,
    ConditionTruth,
    Explanation,
    Feature,
    Label,
    Partition,
    Rule,
    RuleList,
    RuleTruth,
)
from ._transformer import FuzzyTransformer

__all__ = [
    "Change",
    "Complexity",
    "Condition",
    "ConditionTruth",
    "Explanation",
    "FRRClassifier",
    "Feature",
    "FuzzyTransformer",
    "Label",
    "Partition",
    "Rule",
    "RuleList",
    "RuleTruth",
    "__version__",
    "evaluate",
    "plot_partition",
    "plot_path",
    "plot_rules",
    "plot_training",
]
