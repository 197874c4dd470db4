"""Draws the two figures as SVG. The same study gives the same bytes."""

from pathlib import Path

from study.units import SMALL


def points(study: dict) -> list[tuple[str, float, float, str]]:
    """Title, size, accuracy and kind of every learner that has a size and results on all datasets."""
    frr, *others = study["learners"]
    found = [("FRR", frr["mean"], "frr")]
    found += [(f"FRR, {row['name']}", row["mean"], "frr") for row in study["ablation"]
              if row["name"] in (SMALL, "preset paper")]
    found += [(other["title"], other["mean"], "run") for other in others
              if other["sets"] == frr["sets"]]
    found += [(learner["title"], learner, "published") for learner in study["published_means"]]
    return [(title, mean["conditions"], mean["accuracy"], kind) for title, mean, kind in found
            if mean.get("conditions") and mean.get("accuracy") is not None]


def draw_size(study: dict, path: Path) -> None:
    pyplot = plotting()
    figure, axes = pyplot.subplots(figsize=(8, 5))
    looks = {"frr": ("#c0392b", "D"), "run": ("#1f4e79", "o"), "published": ("#888888", "o")}
    for title, size, accuracy, kind in points(study):
        colour, marker = looks[kind]
        axes.plot(size, accuracy, marker, color=colour)
        axes.annotate(title, (size, accuracy), xytext=(5, 4), textcoords="offset points",
                      fontsize=7, color=colour)
    axes.set_xscale("log")
    axes.set_xlabel("size: conditions in the rule base (logarithmic)")
    axes.set_ylabel("mean accuracy, %")
    axes.grid(alpha=0.3)
    axes.margins(x=0.15)
    save(figure, path)


def draw_loss(study: dict, path: Path) -> None:
    pyplot = plotting()
    curves = study["loss"]
    figure, all_axes = pyplot.subplots(1, len(curves), figsize=(4.5 * len(curves), 3.5),
                                       squeeze=False)
    for axes, (dataset, by_kind) in zip(all_axes[0], curves.items(), strict=True):
        for kind, losses in by_kind.items():
            axes.plot(range(1, len(losses) + 1), losses, label=f"{kind} restricted addition",
                      linewidth=1)
        axes.set_title(dataset)
        axes.set_xlabel("epoch")
        axes.set_ylabel("mean training loss")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
    save(figure, path)


def plotting():
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "frr"
    from matplotlib import pyplot

    return pyplot


def save(figure, path: Path) -> None:
    figure.tight_layout()
    temporary = path.with_suffix(".part")
    figure.savefig(temporary, format="svg", metadata={"Date": None})
    temporary.replace(path)
