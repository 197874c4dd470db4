"""The estimator checks of scikit-learn."""

from frr import FRRClassifier, FuzzyTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks


@parametrize_with_checks(
    [
        FRRClassifier(),
        FRRClassifier(semantics="additive"),
        FRRClassifier(objective="risk"),
        FRRClassifier(class_weight="balanced", refer=0.9),
        FuzzyTransformer(),
        FuzzyTransformer(partition="supervised"),
    ]
)
def test_scikit_learn(estimator, check):
    check(estimator)
