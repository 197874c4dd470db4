"""Help, version, demo, cross-validation, determinism, hard limits, documentation."""

import json
import random

import models
import pytest
from conftest import BREAST_CANCER, ROOT
from tables import mixed, two_groups

COMMANDS = ("demo", "train", "rules", "predict", "explain", "evaluate", "decide", "report", "cv",
            "path")
OPTIONS_PAGE = ROOT / "docs" / "reference" / "options.md"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_starts_with_examples(frr, command):
    result = frr(command, "--help").ok()
    assert result.out.startswith(f"Examples:\n  frr {command}")
    assert f"\nUsage: frr {command}" in result.out
    assert frr(command, "-h").ok().out == result.out
    assert max(map(len, result.out.splitlines())) <= 100


def test_help_of_the_program_lists_every_command(frr):
    out = frr("--help").ok().out
    assert out.startswith("Examples:\n  frr demo")
    for command in COMMANDS:
        assert f"\n  {command} " in out


def documented(section: str) -> set[str]:
    """The options that a section of docs/reference/options.md lists."""
    text = OPTIONS_PAGE.read_text().split(f"\n## {section}\n")[1].split("\n## ")[0]
    return {line.split("`")[1] for line in text.splitlines() if line.startswith("| `")}


def shown(text: str) -> set[str]:
    """The options that a help text lists."""
    return {line.split()[0] for line in text.splitlines() if line.startswith("  --")}


@pytest.mark.parametrize("command", ("train", "cv", "path", "demo"))
def test_help_shows_basic_options_and_help_all_shows_advanced_ones(frr, command):
    basic, advanced = documented("Basic options"), documented("Advanced options")
    assert len(basic) == 16
    assert len(advanced) > 25
    few, all_of_them = (frr(command, option).ok().out for option in ("--help", "--help-all"))
    assert shown(few) >= basic | {"--preset", "--partition-file", "--help-all"}
    assert shown(few).isdisjoint(advanced)
    assert shown(all_of_them) == shown(few) | advanced
    assert "\nAdvanced: Gradient:\n" in all_of_them
    assert few.endswith(f"\nfrr {command} --help-all shows {len(advanced)} advanced options.\n")
    assert max(map(len, all_of_them.splitlines())) <= 100


def test_help_states_range_and_default(frr):
    text = " ".join(frr("train", "--help").ok().out.split())
    assert "Maximum number of rules [a whole number from 1 to 1000; default 15]" in text


def test_help_all_belongs_to_training(frr):
    frr("predict", "--help-all").fails(2, "--help-all")


def test_version(frr):
    stated = (ROOT / "CMakeLists.txt").read_text().split("VERSION ")[2].split()[0]
    assert frr("--version").ok().out == f"frr {stated}\n"


def test_options_page_is_current(frr):
    page = frr("options", "--markdown").ok().out
    assert page == OPTIONS_PAGE.read_text(), \
        "run: build/frr options --markdown > docs/reference/options.md"


def keys_of(value) -> set[str]:
    """All keys, except in objects whose keys are names from the data."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    named = ("probabilities", "class_rows", "settings", "by_class", "by", "base_rates", "biases", "scores")
    if value.get("costs"):
        value = value | {"costs": None}  # classes by class
    return set(value).union(*(keys_of(list(v.values()) if k in named and isinstance(v, dict) else v)
                              for k, v in value.items()))


def test_json_page_names_every_key_of_every_command(frr, cancer_model):
    quick = ("--epochs", 2, "--rules", 3)
    loans, loans_model = ROOT / "data" / "loans.csv", frr.directory / "loans.json"
    card = models.scorecard()
    frr("train", loans, *quick, "-o", loans_model).ok()
    page = (ROOT / "docs" / "reference" / "json.md").read_text()
    for arguments in (("cv", BREAST_CANCER, *quick), ("path", BREAST_CANCER, *quick),
                      ("evaluate", loans_model, loans, "--by", "home", "--positive", "grant"),
                      ("predict", cancer_model, BREAST_CANCER, "--proba"),
                      *(("explain", cancer_model, BREAST_CANCER, "--row", n) for n in (1, 20, 60)),
                      ("rules", cancer_model), ("rules", frr.write("card.json", models.text(card))),
                      ("explain", "card.json", frr.write("row.csv", "age,bmi\n80,20\n"), "--row", 1),
                      ("train", BREAST_CANCER, "-o", "m.json", *quick),
                      ("decide", loans_model, "--positive", "grant", "--cost", "miss:2", "--data", loans,
                       "-o", "m.json")):
        section = page.split(f"## frr {arguments[0]} --json\n")[1].split("\n## ")[0]
        if arguments[0] in ("cv", "path"):
            for also in ("## The figures of a fold\n", "## frr evaluate --json\n"):
                section += page.split(also)[1].split("\n## ")[0]
        else:
            section += page.split("## The policy\n")[1].split("\n## ")[0]
        keys = keys_of(json.loads(frr(*arguments, "--json").ok().out))
        assert keys - set(section.replace("`", " ` ").split()) == set(), arguments[0]


def test_demo_shows_rules_accuracy_size_time_and_next_steps(frr):
    out = frr("demo").ok().out
    for words in ("IF ", "ELSE ", "training accuracy", "5-fold accuracy", "conditions",
                  "to train", "What to try next", "explain model.json"):
        assert words in out
    assert frr.files() == {"frr-demo.html"}
    assert str(frr.directory / "frr-demo.html") in out


def test_demo_writes_the_page_to_the_given_path_or_explains_why_not(frr):
    assert str(frr.directory / "page.html") in frr("demo", "--report", "page.html").ok().out
    assert frr.files() == {"page.html"}
    result = frr("demo", "--report", "nowhere/page.html").ok()
    assert "IF " in result.out
    assert "nowhere/page.html" in result.err


def test_explain_shows_the_truth_of_every_rule(frr):
    data = frr.write("data.csv", mixed(seed=3, rows=200))
    frr("train", data, "-o", "model.json").ok()
    why = json.loads(frr("explain", "model.json", data, "--row", 7, "--json").ok().out)
    rules = json.loads(frr("rules", "model.json", "--json").ok().out)["rules"]
    assert [entry["rule"] for entry in why["rules"]] == list(range(1, len(rules) + 1))
    for entry in why["rules"]:
        assert entry["score"] == pytest.approx(entry["weight"] * entry["truth"], abs=1e-12)
    if why["rule"]:
        assert why["rules"][why["rule"] - 1] == why["winner"]
        assert why["winner"]["score"] == max(entry["score"] for entry in why["rules"])
    text = frr("explain", "model.json", data, "--row", 7).ok().out
    shown_above = {why["rule"], why["runner_up"]["rule"] if why["runner_up"] else 0}
    for entry in why["rules"]:
        if entry["score"] > 0 and entry["rule"] not in shown_above:
            assert f"    rule {entry['rule']} for {entry['then']}: true to" in text


def test_demo_data_is_the_file_in_the_repository(frr):
    assert frr("demo", "--data").ok().out == BREAST_CANCER.read_text()


def test_cv_json_has_the_promised_keys(frr):
    data = frr.write("my data.csv", mixed(seed=20, rows=100))
    result = json.loads(frr("cv", data, "--json").ok().out)
    assert result["dataset"] == "my data"
    assert (result["rows"], result["features"], result["classes"]) == (100, 5, 3)
    keys = {"accuracy", "train_accuracy", "rules", "conditions", "unique_conditions", "fit_seconds"}
    assert len(result["folds"]) == 5
    for part in (*result["folds"], result["mean"]):
        assert keys <= set(part)
    for key in keys:
        mean = sum(fold[key] for fold in result["folds"]) / 5
        assert result["mean"][key] == pytest.approx(mean)
    assert sum(map(sum, result["confusion"])) == 100


def test_cv_with_given_folds_tests_each_row_in_its_fold(frr):
    data = frr.write("data.csv", two_groups(60))
    frr.write("folds.txt", "\n".join(str(i // 20) for i in range(60)) + "\n")
    result = json.loads(frr("cv", data, "--folds", "folds.txt", "--json").ok().out)
    assert len(result["folds"]) == 3
    # The groups are far apart, so rules learned on two folds are right on the third.
    assert [fold["accuracy"] for fold in result["folds"]] == [100, 100, 100]


def test_cv_table_contains_the_figures_of_the_json(frr):
    data = frr.write("data.csv", mixed(seed=21, rows=90))
    result = json.loads(frr("cv", data, "--json", "--folds", 3).ok().out)
    table = frr("cv", data, "--folds", 3).ok().out
    for fold in (*result["folds"], result["mean"]):
        assert f"{fold['accuracy']:.2f}" in table


def without_time(text: str) -> dict:
    result = json.loads(text)
    for part in (*result["folds"], result["mean"], result["deviation"]):
        del part["fit_seconds"]
    return result


def test_same_bytes_in_every_run_with_any_number_of_threads(frr):
    data = frr.write("data.csv", mixed(seed=22, rows=400))
    for options in ((), ("--preset", "paper", "--epochs", 30), ("--restarts", 3, "--seed", 5)):
        models = set()
        for threads in (1, 2, 7, 1):
            models.add(frr("train", data, "--threads", threads, *options).ok().out)
        assert len(models) == 1
    results = [without_time(frr("cv", data, "--json", "--threads", n).ok().out) for n in (1, 2, 7)]
    assert results[0] == results[1] == results[2]


def test_same_bytes_on_the_built_in_data(frr):
    models = {frr("train", BREAST_CANCER, "--threads", n).ok().out for n in (1, 2, 7)}
    assert len(models) == 1


def test_row_order_changes_nothing_if_rows_differ_only_in_weight(frr):
    random_numbers = random.Random(4)
    for _ in range(8):
        rows = []
        for number in range(80):
            colour, size = random_numbers.randrange(2), random_numbers.randrange(3)
            noisy = random_numbers.random() < 0.2
            high = random_numbers.randrange(2) if noisy else colour + size > 1
            label = "ab"[number] if number < 2 else "ba"[high]
            weight = 0.01 + 3 * random_numbers.random()
            rows.append(f"{size},{'red' if colour else 'blue'},{weight!r},{label}\n")
        models = set()
        for _ in range(3):
            frr.write("data.csv", "size,colour,w,class\n" + "".join(rows))
            models.add(frr("train", "data.csv", "--target", "class", "--weight-column", "w",
                           "--categorical", "size", "--epochs", 4).ok().out)
            random_numbers.shuffle(rows)
        assert len(models) == 1


def test_another_seed_may_give_other_rules(frr):
    data = frr.write("data.csv", mixed(seed=23, rows=150, noise=0.4))
    rules = {json.dumps(json.loads(frr("train", data, "--seed", s).ok().out)["rules"])
             for s in range(4)}
    assert len(rules) > 1


def test_the_model_records_how_it_was_trained(frr):
    data = frr.write("data.csv", two_groups())
    model = json.loads(frr("train", data, "--seed", 42, "--rules", 4).ok().out)
    training = model["training"]
    assert training["settings"]["seed"] == "42"
    assert training["settings"]["rules"] == "4"
    assert f"frr {training['version']}\n" == frr("--version").ok().out
    assert training["rows"] == 60
    again = ["train", data]
    for name, value in training["settings"].items():
        again += [f"--{name}", value]
    assert json.loads(frr(*again).ok().out) == model


def test_train_json_is_a_summary_of_the_model(frr):
    data = frr.write("data.csv", two_groups())
    summary = json.loads(frr("train", data, "-o", "model.json", "--json").ok().out)
    model = json.loads((frr.directory / "model.json").read_text())
    assert summary["rules"] == len(model["rules"])
    assert summary["conditions"] == sum(len(rule["if"]) for rule in model["rules"])
    assert summary["train_accuracy"] == 100


def random_settings(rng: random.Random) -> list:
    tnorms = ("product", "minimum", "aczel-alsina:2", "lukasiewicz", "hamacher")
    return ["--rules", rng.randint(1, 8), "--conditions", rng.randint(1, 5),
            "--labels", rng.randint(2, 7), "--tnorm", rng.choice(tnorms),
            "--preset", rng.choice(("default", "default", "paper")),
            "--partition", rng.choice(("quantile", "uniform", "supervised")),
            "--semantics", rng.choice(("sufficient", "sufficient", "additive")),
            "--seed", rng.randint(0, 99), "--epochs", rng.randint(1, 15)]


@pytest.mark.parametrize("seed", range(40))
def test_hard_limits_hold_for_random_tables_and_settings(frr, seed):
    rng = random.Random(seed)
    data = frr.write("data.csv", mixed(seed, rows=rng.randint(20, 120), numeric=rng.randint(1, 5),
                                       categorical=rng.randint(0, 3), classes=rng.randint(2, 5),
                                       missing=rng.choice((0, 0.1))))
    settings = random_settings(rng)
    model = json.loads(frr("train", data, "--quiet", *settings).ok().out)
    rules = model["rules"]
    assert len(rules) <= settings[1]
    for rule in rules:
        assert 1 <= len(rule["if"]) <= settings[3]  # a feature is a key, so it occurs once
        assert 0 < rule["weight"] <= (1 if model["inference"]["semantics"] == "sufficient" else 1e6)
    for feature in model["features"].values():
        previous = None
        shapes = feature.get("labels", {}).values()
        assert len(feature.get("labels", {})) <= settings[5]
        for shape in shapes:
            ends = [v for v in shape if v is not None]
            assert ends == sorted(ends)
            low = [float("-inf") if v is None else v for v in shape[:2]]
            high = [float("inf") if v is None else v for v in shape[2:]]
            if previous is not None:
                assert all(x <= y for x, y in zip(previous, [*low, *high], strict=True))
            previous = [*low, *high]
    frr.write("model.json", json.dumps(model))
    frr("rules", "model.json").ok()


def test_log_contains_the_loss_of_every_epoch(frr):
    data = frr.write("data.csv", two_groups())
    frr("train", data, "-o", "plain.json", "--epochs", "30").ok()
    frr("train", data, "-o", "model.json", "--epochs", "30", "--log", "log.csv").ok()
    header, *lines = (frr.directory / "log.csv").read_text().splitlines()
    assert header == "epoch,loss"
    epochs, losses = zip(*(line.split(",") for line in lines), strict=True)
    assert [int(epoch) for epoch in epochs] == list(range(1, 31))
    assert 0 < min(map(float, losses)) < float(losses[0])  # two separate groups: the loss falls
    models = [(frr.directory / name).read_bytes() for name in ("model.json", "plain.json")]
    assert models[0] == models[1]  # logging does not change the model


@pytest.mark.parametrize(("options", "words"), [
    (("--log", "-"), ("--log", "file")),
    (("--log", "./model.json"), ("same file",)),
    (("--log", "log.csv", "--restarts", "2"), ("--log", "--restarts")),
    (("--log", "data.csv"), ("is the input data.csv", "--log")),
])
def test_unsuitable_logs_are_rejected(frr, options, words):
    frr.write("data.csv", two_groups())
    frr("train", "data.csv", "-o", "model.json", *options).fails(2, *words)
    assert frr.files() == {"data.csv"}


def test_log_in_a_missing_directory_is_rejected_before_training(frr):
    frr.write("data.csv", two_groups())
    frr("train", "data.csv", "-o", "model.json", "--log", "no/log.csv").fails(1, "--log")
    assert frr.files() == {"data.csv"}
