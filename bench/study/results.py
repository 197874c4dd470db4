"""Combines the outcomes of the units into the study: one dictionary for the page, the output and the figures."""

from statistics import fmean, stdev

import datasets

from study import ranks
from study.published import AS_PRINTED, Published
from study.units import ABLATION, FULL, PAPER_SETS, Unit

KEYS = datasets.KEYS
Figures = dict[str, float | None]


class Results:
    """For every unit with a result, the mean over the folds."""

    def __init__(self, units: list[Unit], outcomes: dict[str, dict]):
        self.units = units
        self.found = {(unit.kind, unit.learner, unit.dataset, unit.seed):
                      outcomes[unit.key]["result"] for unit in units
                      if "result" in outcomes.get(unit.key, {})}

    def by_dataset(self, kind: str, learner: str, seeds: list[int]) -> dict[str, dict]:
        """For the datasets that all seeds have finished: means over the seeds, and the `spread` of the accuracy."""
        result = {}
        for name in dict.fromkeys(unit.dataset for unit in self.units):
            runs = [self.found.get((kind, learner, name, seed)) for seed in seeds]
            means = [run["mean"] for run in runs if run is not None]
            if means and len(means) == len(seeds):
                result[name] = {**{key: mean_of([mean[key] for mean in means]) for key in KEYS},
                                "spread": spread_of([mean["accuracy"] for mean in means])}
        return result

    def shapes(self) -> list[dict]:
        shapes = {}
        for (kind, _, name, _), result in self.found.items():
            if kind != "loss":
                shapes[name] = {key: result[key] for key in ("rows", "features", "classes")}
        return [{"name": name, **shapes[name]}
                for name in dict.fromkeys(unit.dataset for unit in self.units) if name in shapes]

    def learner(self, kind: str, name: str, title: str, seeds: list[int]) -> dict:
        table = self.by_dataset(kind, name, seeds)
        by_seed = [fmean(self.found[kind, name, dataset, seed]["mean"]["accuracy"]
                         for dataset in table) for seed in seeds] if table else []
        return {"name": name, "title": title, "source": "run", "seeds": seeds,
                "sets": len(table), "mean": means_over_sets(table),
                "spread": spread_of(by_seed), "by_dataset": table}


def mean_of(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def spread_of(values: list[float]) -> float | None:
    """The standard deviation; None for a single value."""
    return stdev(values) if len(values) > 1 else None


def means_over_sets(table: dict[str, dict]) -> Figures:
    return {key: mean_of([row[key] for row in table.values()]) for key in KEYS}


def published_learners(published: Published, sets: list[str], run: set[str]) -> list[dict]:
    """The published learners with accuracies by dataset that were not run here, on the datasets of the study."""
    learners = []
    for name, accuracy in published.accuracy.items():
        table = {dataset: {"accuracy": accuracy[dataset]} for dataset in sets
                 if dataset in accuracy}
        if table and name not in run:
            mean = fmean(row["accuracy"] for row in table.values())
            learners.append({"name": name, "title": name, "source": "published",
                             "sets": len(table), "mean": {"accuracy": mean}, "spread": None,
                             "by_dataset": table})
    return learners


def published_means(published: Published, sets: list[str], run: set[str]) -> list[dict]:
    """The table of means, without the learners that were run here.

    Empty if the means are over other datasets than those of the study, because they cannot be compared.
    """
    known = {dataset for table in published.accuracy.values() for dataset in table}
    if known != set(sets):
        return []
    return [{"title": title, **values} for title, values in published.means.items()
            if title not in run and values["sets"] == len(sets)]


def compare(ours: dict[str, dict], other: dict) -> dict:
    """FRR minus another learner on the datasets that both have."""
    differences = {name: row["accuracy"] - other["by_dataset"][name]["accuracy"]
                   for name, row in ours.items() if name in other["by_dataset"]}
    values = list(differences.values())
    return {"learner": other["name"], "source": other["source"], "sets": len(values),
            "mean": mean_of(list(values)),
            "ahead": sum(value > 1 for value in values),
            "level": sum(-1 <= value <= 1 for value in values),
            "behind": sum(value < -1 for value in values),
            "far_behind": sorted(name for name, value in differences.items() if value < -3)}


def rank_learners(ours: dict[str, dict], others: list[dict]) -> dict | None:
    """Friedman's test over the learners that were measured on these folds and on all datasets."""
    names = list(ours)
    accuracy = {"FRR": [ours[name]["accuracy"] for name in names]}
    for other in others:
        table = other["by_dataset"]
        if not other["name"].startswith(AS_PRINTED) and all(name in table for name in names):
            accuracy[other["name"]] = [table[name]["accuracy"] for name in names]
    return ranks.friedman(accuracy)


def time_ratio(ours: dict[str, dict], others: list[dict], name: str) -> float | None:
    """The mean fit time of FRR divided by that of a learner run here, on the datasets that both have."""
    for other in others:
        both = [dataset for dataset in ours if dataset in other["by_dataset"]]
        if other["name"] == name and other["source"] == "run" and both:
            return (fmean(ours[dataset]["fit_seconds"] for dataset in both)
                    / fmean(other["by_dataset"][dataset]["fit_seconds"] for dataset in both))
    return None


def ablation(results: Results, seeds: list[int]) -> list[dict]:
    """Compares every variant with the full learner on the same datasets and seeds."""
    full = results.by_dataset("frr", FULL, seeds)
    rows = []
    for name, options in ABLATION.items():
        table = results.by_dataset("frr", name, seeds)
        both = [dataset for dataset in table if dataset in full]
        if not both:
            continue
        difference = fmean(table[dataset]["accuracy"] - full[dataset]["accuracy"]
                           for dataset in both)
        rows.append({"name": name, "options": " ".join(options), "sets": len(table),
                     "mean": means_over_sets(table), "difference": difference})
    return rows


def paper_ablation(results: Results, variants: list[str], seeds: list[int]) -> list[dict]:
    rows = []
    for name in variants:
        table = results.by_dataset("frr", name, seeds)
        if table:
            rows.append({"name": name, "accuracy": {dataset: table[dataset]["accuracy"]
                                                    for dataset in PAPER_SETS if dataset in table}})
    return rows


def loss_curves(results: Results) -> dict[str, dict[str, list[float]]]:
    curves: dict[str, dict[str, list[float]]] = {}
    for (kind, learner, dataset, _), result in results.found.items():
        if kind == "loss":
            curves.setdefault(dataset, {})[learner] = result["loss"]
    return curves


def troubles(units: list[Unit], outcomes: dict[str, dict]) -> list[str]:
    """One sentence for each learner and reason."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for unit in units:
        outcome = outcomes.get(unit.key, {})
        reason = outcome.get("skipped") or outcome.get("failed")
        if reason:
            reasons.setdefault((unit.learner, reason), []).append(unit.dataset)
    return [f"{learner} on {', '.join(dict.fromkeys(names))}: {reason}"
            for (learner, reason), names in reasons.items()]
