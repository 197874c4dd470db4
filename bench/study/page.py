"""The study as a Markdown page. Every function gives the lines of one section."""

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
        f"Written by `make study{' PEERS=1' if has_peers(study) else ''}` with "
        f"{study['program']}: "
        f"{counted(len(study['datasets']), 'dataset')} with their given folds, "
        f"{counted(len(study['seeds']), 'seed')} ({seeds}) for FRR and one for each other learner "
        "unless said, every training on one thread "
        f"({study['machine']}).", "",
        "Accuracy is in percent on the test folds. Size is the number of conditions in the rule "
        "base, unique the number of distinct ones; of a tree, the conditions on the paths to all "
        "leaves, and distinct means feature, threshold and direction. Seconds are the wall time of "
        "one training. All are means over the folds, then over the seeds, then over the sets; ± is "
        "the standard deviation over the seeds.", ""]


def mean_row(title: str, learner: dict) -> list[str]:
    mean = learner["mean"]
    return [title, str(learner["sets"]), spread(mean.get("accuracy"), learner["spread"]),
            *(cell(mean.get(key), digits) for key, digits in COLUMNS)]


def published_row(learner: dict) -> list[str]:
    sets = learner.get("sets")
    return [f"{learner['title']} †", "–" if sets is None else f"{sets:.0f}",
            cell(learner["accuracy"]), *(cell(learner[key], digits) for key, digits in COLUMNS)]


def means(study: dict) -> list[str]:
    own, *others = study["learners"]
    rows = [mean_row("**FRR**", own)]
    rows += [mean_row(f"{other['title']} (`{other['name']}`)", other)
             for other in others if other["source"] == "run"]
    rows += [published_row(learner) for learner in study["published_means"]]
    if not study["published_means"]:
        rows += [mean_row(f"{other['title']} †", other) for other in others
                 if other["source"] == "published"]
    lines = ["## Means over the sets", "",
             *table(["learner", "sets", "accuracy", "rules", "size", "unique", "seconds"], rows)]
    if any(other["source"] == "published" for other in others):
        lines += [f"† measured elsewhere on the same data and folds: taken from "
                  f"{study['published']}, not run here, so only the order of magnitude of the "
                  "seconds can be compared. What is called the paper's was printed in the paper, "
                  "with other splits.", ""]
    if study["time_ratio"] is not None:
        lines += ["Mean fit time of FRR over that of GradientBoosting (100), both on one thread: "
                  f"**{study['time_ratio']:.2f}**. Results kept from an earlier run keep their "
                  "times; for a clean ratio measure all of them anew on an idle machine (`make "
                  "study` after removing `build/study`).", ""]
    return lines + picture(study, "accuracy against size", "study-size.svg")


def comparison(study: dict) -> list[str]:
    if not study["comparison"]:
        return []
    rows = [[c["learner"] + (" †" if c["source"] == "published" else ""), str(c["sets"]),
             f"{c['mean']:+.2f}", str(c["ahead"]), str(c["level"]), str(c["behind"])]
            for c in study["comparison"] if c["sets"]]
    lines = ["## FRR against each of the others", "",
             "Accuracy of FRR minus that of the other: the mean, and the number of sets where FRR "
             "is more than 1 point ahead, within 1 point, and more than 1 point behind.", "",
             *table(["learner", "sets", "difference", "ahead", "level", "behind"], rows)]
    for c in study["comparison"]:
        if c["learner"] == "jrip":
            lines += [f"FRR is at least JRip minus 1 point on {c['ahead'] + c['level']} of "
                      f"{counted(c['sets'], 'set')}.", ""]
        if c["learner"].startswith(AS_PRINTED):
            named = ": " + ", ".join(c["far_behind"]) if c["far_behind"] else ""
            lines += [f"More than 3 points below what the paper prints for FRR: "
                      f"{counted(len(c['far_behind']), 'set')}{named}.", ""]
    return lines


def friedman(study: dict) -> list[str]:
    test = study["friedman"]
    if test is None:
        return []
    own, gap = test["ranks"]["FRR"], test["critical_difference"]
    rows = [[name, cell(rank), verdict(rank - own, gap) if name != "FRR" else ""]
            for name, rank in test["ranks"].items()]
    return ["## Friedman's test", "",
            f"{counted(test['learners'], 'learner')} on {counted(test['sets'], 'set')}, FRR with "
            f"its mean over the seeds: chi-squared {test['statistic']:.2f}, p = {test['p']:.2g}. "
            f"Nemenyi's critical difference at {test['alpha']:g} is {gap:.2f}: average ranks that "
            "lie nearer do not differ significantly. Rank 1 is best.", "",
            *table(["learner", "average rank", "against FRR"], rows)]


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
        lines += ["## What each part is worth", "",
                  f"One part left out or changed at a time; seeds: {seeds}. Differences of a few "
                  "tenths are within the noise of the seeds. Terms: [method.md](method.md).", "",
                  *table(["variant", "options", "sets", "accuracy", "difference", "rules", "size",
                          "unique", "seconds"], rows)]
    if study["paper_ablation"]:
        rows = [[row["name"], *(cell(row["accuracy"].get(name)) for name in PAPER_SETS)]
                for row in study["paper_ablation"]]
        lines += ["## The paper's own ablation", "",
                  "The paper prints, with and without restricted addition, 72.79 and 65.33 on "
                  "pima, 83.91 and 76.62 on australian.", "",
                  *table(["preset and parts", *PAPER_SETS], rows)]
    return lines


def loss(study: dict) -> list[str]:
    if not study["loss"]:
        return []
    rows = [[f"{dataset}, {kind} restricted addition", cell(values[0], 3), cell(min(values), 3),
             cell(values[-1], 3), cell(mean_step(values), 4)]
            for dataset, curves in study["loss"].items() for kind, values in curves.items()]
    return ["### Training loss by epoch, `--preset paper`", "",
            "The loss is that of the network as it is in that epoch. Restricted addition and the "
            "residual connection fade along the way, so the loss may rise. The paper says that "
            "restricted addition steadies it; the last column is the mean absolute change from one "
            "epoch to the next.", "",
            *table(["set", "first", "least", "last", "change"], rows),
            *picture(study, "loss by epoch", "study-loss.svg")]


def mean_step(values: list[float]) -> float | None:
    steps = [abs(after - before) for before, after in pairwise(values)]
    return fmean(steps) if steps else None


def sets(study: dict) -> list[str]:
    own, *others = study["learners"]
    shapes = {shape["name"]: shape for shape in study["datasets"]}
    rows = [[name, *(str(shapes[name][key]) for key in ("rows", "features", "classes")),
             spread(row["accuracy"], row["spread"]), cell(row["train_accuracy"]),
             *(cell(row[key], digits) for key, digits in COLUMNS)]
            for name, row in own["by_dataset"].items()]
    lines = ["## FRR on every set", "",
             *table(["dataset", "rows", "features", "classes", "accuracy", "train", "rules", "size",
                     "unique", "seconds"], rows)]
    if others:
        header = ["dataset", "**FRR**", *(other["name"] + (" †" if other["source"] == "published"
                                                           else "") for other in others)]
        rows = [[name, cell(row["accuracy"], 1),
                 *(cell(other["by_dataset"].get(name, {}).get("accuracy"), 1) for other in others)]
                for name, row in own["by_dataset"].items()]
        lines += ["## Accuracy of all learners on every set", "", *table(header, rows)]
    return lines


def notes(study: dict) -> list[str]:
    lines = [f"- {note}" for note in study["notes"]]
    return ["## What was left out", "", *lines, ""] if lines else []


def make_page(study: dict) -> str:
    parts = (opening, means, comparison, friedman, ablation, loss, sets, notes)
    return "\n".join(line for part in parts for line in part(study)).rstrip("\n") + "\n"
