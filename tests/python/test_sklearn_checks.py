"""The estimator checks of scikit-learn."""

from frr import FRRClassifier, FuzzyTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks


def expected_failures(estimator) -> dict[str, str]:
    if getattr(estimator, "semantics", None) != "additive":
        return {}
    return {
        "check_decision_proba_consistency": "scores are sums over rules and probabilities their "
        "shares: a difference and a ratio need not rank rows alike"
    }


@parametrize_with_checks(
    [
        FRRClassifier(),
        FRRClassifier(semantics="additive"),
        FuzzyTransformer(),
        FuzzyTransformer(partition="supervised"),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn(estimator, check):
    check(estimator)
