"""Friedman's test and Nemenyi's critical difference, as in Demsar (2006)."""

from math import sqrt

ALPHA = 0.05


def ranks_of(values: list[float]) -> list[float]:
    """The ranks of the values: 1 for the largest; equal values get the mean of their ranks."""
    return [1 + sum(other > value for other in values)
            + (sum(other == value for other in values) - 1) / 2 for value in values]


def average_ranks(table: list[list[float]]) -> list[float]:
    """`table` has a row for each dataset and a column for each learner."""
    columns = zip(*map(ranks_of, table), strict=True)
    return [sum(column) / len(table) for column in columns]


def critical_difference(learners: int, sets: int, alpha: float = ALPHA) -> float:
    """The smallest significant difference between average ranks: q sqrt(k (k + 1) / (6 N))."""
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - alpha, learners, float("inf")) / sqrt(2)
    return float(q) * sqrt(learners * (learners + 1) / (6 * sets))


def friedman(accuracy: dict[str, list[float]]) -> dict | None:
    """The test for accuracies of learners on the same datasets; None for fewer than 3 learners or 2 datasets."""
    names = list(accuracy)
    sets = len(next(iter(accuracy.values()), []))
    if len(names) < 3 or sets < 2:
        return None
    from scipy.stats import friedmanchisquare

    ranks = average_ranks([list(row) for row in zip(*accuracy.values(), strict=True)])
    statistic, p = friedmanchisquare(*accuracy.values())
    return {"learners": len(names), "sets": sets, "statistic": float(statistic), "p": float(p),
            "alpha": ALPHA, "critical_difference": critical_difference(len(names), sets),
            "ranks": dict(sorted(zip(names, ranks, strict=True), key=lambda pair: pair[1]))}
