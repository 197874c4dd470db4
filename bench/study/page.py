"""Writes the study as a Markdown page. Each function returns the lines of one section."""

from itertools import pairwise
from statistics import fmean

from study.published import AS_PRINTED
from study.units import PAPER_SETS

COLUMNS = (("rules", 1), ("conditions", 1), ("unique_conditions", 1), ("fit_seconds", 2))


def cell(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def spread(value: float | None, around: float | None) -> str:
    return cell(value) if around is None else f"{cell(value)} ± {cell(around)}"


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def picture(study: dict, title: str, name: str) -> list[str]:
    return [f"![{title}]({name})", ""] if study["figures"] else []


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def has_peers(study: dict) -> bool:
    return any(other["source"] == "run" for other in study["learners"][1:])


def opening(study: dict) -> list[str]:
    seeds = ", ".join(map(str, study["seeds"]))
    return [
        "# The study", "",
        f"This page was written by `make study{' PEERS=1' if has_peers(study) else ''}` with "
        f"{study['program']}. It covers "
        f"{counted(len(study['datasets']), 'dataset')} with fixed folds. FRR ran with "
        f"{counted(len(study['seeds']), 'seed')} ({seeds}), every other learner with one, unless stated "
        f"otherwise. Each training used one thread ({study['machine']}).", "",
        "Accuracy is the percentage of test rows that are classified correctly. Size is the number of "
        "conditions in the rule base, and unique the number of distinct conditions. For a tree, size "
        "counts the conditions on the paths to all leaves; two conditions are the same if feature, "
        "threshold and direction agree. Seconds are the wall time of one training. All figures are "
        "means over the folds, then over the seeds, then over the datasets; ± is the standard deviation "
        "over the seeds.", ""]


def mean_row(title: str, learner: dict) -> list[str]:
    mean = learner["mean"]
    return [title, str(learner["sets"]), spread(mean.get("accuracy"), learner["spread"]),
            *(cell(mean.get(key), digits) for key, digits in COLUMNS)]


def published_row(learner: dict) -> list[str]:
    sets = learner.get("sets")
    return [f"{learner['title']} †", "–" if sets is None else f"{sets:.0f}",
            cell(learner["accuracy"]), *(cell(learner[key], digits) for key, digits in COLUMNS)]


def means(study: dict) -> list[str]:
    frr, *others = study["learners"]
    rows = [mean_row("**FRR**", frr)]
    rows += [mean_row(f"{other['title']} (`{other['name']}`)", other)
             for other in others if other["source"] == "run"]
    rows += [published_row(learner) for learner in study["published_means"]]
    if not study["published_means"]:
        rows += [mean_row(f"{other['title']} †", other) for other in others
                 if other["source"] == "published"]
    lines = ["## Means over the datasets", "",
             *table(["learner", "sets", "accuracy", "rules", "size", "unique", "seconds"], rows)]
    if any(other["source"] == "published" for other in others):
        lines += [f"† Measured elsewhere on the same data and folds, and taken from "
                  f"{study['published']}; for the seconds, compare only orders of magnitude. *The "
                  "paper's FRR* gives the figures printed in the paper, which used other splits.", ""]
    if study["time_ratio"] is not None:
        lines += ["The mean fit time of FRR is "
                  f"**{study['time_ratio']:.2f}** times that of GradientBoosting (100), both on one "
                  "thread. Results from an earlier run keep their times; for an exact ratio, remove "
                  "`build/study` and run `make study` again on an idle machine.", ""]
    return lines + picture(study, "accuracy against size", "study-size.svg")


def comparison(study: dict) -> list[str]:
    if not study["comparison"]:
        return []
    rows = [[c["learner"] + (" †" if c["source"] == "published" else ""), str(c["sets"]),
             f"{c['mean']:+.2f}", str(c["ahead"]), str(c["level"]), str(c["behind"])]
            for c in study["comparison"] if c["sets"]]
    lines = ["## FRR and each other learner", "",
             "The table shows the mean accuracy of FRR minus that of the other learner, and the number "
             "of datasets on which FRR is more than 1 point ahead, within 1 point, or more than 1 point "
             "behind.", "",
             *table(["learner", "sets", "difference", "ahead", "level", "behind"], rows)]
    for c in study["comparison"]:
        if c["learner"] == "jrip":
            lines += [f"On {c['ahead'] + c['level']} of {counted(c['sets'], 'dataset')}, FRR is "
                      "ahead of JRip or at most 1 point behind.", ""]
        if c["learner"].startswith(AS_PRINTED):
            named = ": " + ", ".join(c["far_behind"]) if c["far_behind"] else ""
            lines += [f"FRR is more than 3 points below the figure printed in the paper on "
                      f"{counted(len(c['far_behind']), 'dataset')}{named}.", ""]
    return lines


def friedman(study: dict) -> list[str]:
    test = study["friedman"]
    if test is None:
        return []
    frr_rank, gap = test["ranks"]["FRR"], test["critical_difference"]
    rows = [[name, cell(rank), verdict(rank - frr_rank, gap) if name != "FRR" else ""]
            for name, rank in test["ranks"].items()]
    return ["## Friedman's test", "",
            f"{counted(test['learners'], 'learner')} on {counted(test['sets'], 'dataset')}, FRR with "
            f"its mean over the seeds: chi-squared {test['statistic']:.2f}, p = {test['p']:.2g}. "
            f"Nemenyi's critical difference at {test['alpha']:g} is {gap:.2f}: a smaller difference "
            "between two average ranks is not significant. Rank 1 is best.", "",
            *table(["learner", "average rank", "compared with FRR"], rows)]


def verdict(difference: float, gap: float) -> str:
    if abs(difference) < gap:
        return "no significant difference"
    return "significantly worse" if difference > 0 else "significantly better"


def ablation(study: dict) -> list[str]:
    lines: list[str] = []
    if study["ablation"]:
        rows = [[row["name"], f"`{row['options']}`" if row["options"] else "", str(row["sets"]),
                 cell(row["mean"]["accuracy"]), f"{row['difference']:+.2f}",
                 *(cell(row["mean"][key], digits) for key, digits in COLUMNS)]
                for row in study["ablation"]]
        seeds = ", ".join(map(str, study["ablation_seeds"]))
        lines += ["## What each part contributes", "",
                  f"Each variant leaves out or changes one part; seeds: {seeds}. Differences of a "
                  "few tenths are within the noise of the seeds. [The method](method.md) explains the "
                  "terms.", "",
                  *table(["variant", "options", "sets", "accuracy", "difference", "rules", "size",
                          "unique", "seconds"], rows)]
    if study["paper_ablation"]:
        rows = [[row["name"], *(cell(row["accuracy"].get(name)) for name in PAPER_SETS)]
                for row in study["paper_ablation"]]
        lines += ["## The ablation of the paper", "",
                  "For pima, the paper reports 72.79 with restricted addition and 65.33 without; for "
                  "australian, 83.91 and 76.62.", "",
                  *table(["preset and parts", *PAPER_SETS], rows)]
    return lines


def loss(study: dict) -> list[str]:
    if not study["loss"]:
        return []
    rows = [[f"{dataset}, {kind} restricted addition", cell(values[0], 3), cell(min(values), 3),
             cell(values[-1], 3), cell(mean_step(values), 4)]
            for dataset, curves in study["loss"].items() for kind, values in curves.items()]
    return ["### Training loss by epoch, `--preset paper`", "",
            "The table shows the loss of the network. Restricted addition and the residual connection "
            "fade during training, so the loss may rise. According to the paper, restricted addition "
            "makes the loss steadier; the last column is the mean absolute change from one epoch to the "
            "next.", "",
            *table(["dataset", "first", "minimum", "last", "change"], rows),
            *picture(study, "loss by epoch", "study-loss.svg")]


def mean_step(values: list[float]) -> float | None:
    steps = [abs(after - before) for before, after in pairwise(values)]
    return fmean(steps) if steps else None


def sets(study: dict) -> list[str]:
    frr, *others = study["learners"]
    shapes = {shape["name"]: shape for shape in study["datasets"]}
    rows = [[name, *(str(shapes[name][key]) for key in ("rows", "features", "classes")),
             spread(row["accuracy"], row["spread"]), cell(row["train_accuracy"]),
             *(cell(row[key], digits) for key, digits in COLUMNS)]
            for name, row in frr["by_dataset"].items()]
    lines = ["## FRR on every dataset", "",
             *table(["dataset", "rows", "features", "classes", "accuracy", "train", "rules", "size",
                     "unique", "seconds"], rows)]
    if others:
        header = ["dataset", "**FRR**", *(other["name"] + (" †" if other["source"] == "published"
                                                           else "") for other in others)]
        rows = [[name, cell(row["accuracy"], 1),
                 *(cell(other["by_dataset"].get(name, {}).get("accuracy"), 1) for other in others)]
                for name, row in frr["by_dataset"].items()]
        lines += ["## Accuracy of all learners on every dataset", "", *table(header, rows)]
    return lines


def notes(study: dict) -> list[str]:
    lines = [f"- {note}" for note in study["notes"]]
    return ["## Omitted parts", "", *lines, ""] if lines else []


def instructions(_: dict) -> list[str]:
    return [
        "## Run it yourself", "",
        "    make study PEERS=1    # FRR, its variants, and learners from the package index",
        "    make study            # without the other learners",
        '    make study STUDY="--only iris,wine --jobs 1"    # only these, written to build/study', "",
        "The study reads the datasets from `FRR_DATASETS` or `../*/datasets`; `data/README.md` describes "
        "their format. It uses all cores and continues where it was stopped. If the program, options, "
        "packages or data have changed, it repeats the affected parts. Figures measured elsewhere come "
        "from `--published FILE`, by default `../*/peers.md`.", "",
        "`python3 bench/study --help` lists all options. `python3 bench/study --quick` checks the "
        "accuracy on the built-in datasets and is part of `make test`. `python3 bench/study --rewrite "
        "--output docs/explanation` writes this page from `study.json` without running the study.", ""]


def make_page(study: dict) -> str:
    parts = (opening, means, comparison, friedman, ablation, loss, sets, notes, instructions)
    return "\n".join(line for part in parts for line in part(study)).rstrip("\n") + "\n"
