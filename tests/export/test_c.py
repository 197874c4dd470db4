"""The C header: compiled in many ways, it decides as the program does, at about the same speed."""

import math
import platform
import re
import shutil
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import odd_models
import pytest
import sources
from cases import ROOT, Case, export, frr
from policy_cases import policy_cases

WARNINGS = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion", "-Wshadow", "-Wdouble-promotion")
SANITIZE = ("-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all")
FEW = [["gcc", "-std=c99", "-O2"], ["clang", "-std=c99", "-O2"]]
# Without GNU extensions; and as GCC compiles for its GNU standard and this processor, fusing operations where it can.
ALL = [[compiler, "-std=c99", *options] for compiler in ("gcc", "clang")
       for options in (("-O0",), ("-O2",), ("-O3",), ("-O1", *SANITIZE))]
ALL += [["g++", "-x", "c++", "-std=c++17", "-O2"], ["clang++", "-x", "c++", "-std=c++17", "-O2"],
        ["clang", "-std=c99", "-O2", "-U__GNUC__"], ["gcc", "-std=gnu17", "-O3", "-march=native"]]
SOME = [["gcc", "-std=c99", "-O0"], ["clang", "-std=c99", "-O1", *SANITIZE], ["g++", "-x", "c++", "-std=c++17", "-O2"]]

# Reads rows, decides them one by one and all together (also from odd positions on), writes the results.
PROGRAM = """
#include "decide.h"
#include <stdio.h>
#include <stdlib.h>

static FILE *in;
static void get(void *to, size_t size) {
  if (size > 0 && fread(to, size, 1, in) != 1) exit(2);
}
static double number(void) {
  double value;
  get(&value, sizeof value);
  return value;
}
static const char *text(void) {
  static char buffer[4096];
  int length;
  get(&length, sizeof length);
  if (length < 0) return NULL;
  get(buffer, (size_t)length);
  buffer[length] = 0;
  return buffer;
}

int main(int argc, char **argv) {
  static const size_t counts[] = {0, 1, 2, 31, 32, 33, 64, 65};
  size_t rows, i, k, from;
  decide_case *cases;
  MANY *results, *some;
  decide_columns columns;
  COLUMNS
  if (argc != 2 || !(in = fopen(argv[1], "rb"))) return 2;
  get(&rows, sizeof rows);
  cases = (decide_case *)calloc(rows + 1, sizeof *cases);
  results = (MANY *)calloc(rows + 1, sizeof *results);
  some = (MANY *)calloc(rows + 1, sizeof *some);
  ALLOCATE
  for (i = 0; i < rows; ++i) {
    READ
  }
  USE
  for (i = 0; i < sizeof decide_classes / sizeof *decide_classes; ++i)
    printf("%s%c", decide_classes[i], 0);
  decide_many(&columns, 0, rows, results);
  for (i = 0; i < rows; ++i) {
    const decide_result result = decide(&cases[i]), other = RESULT(results[i]);
    if (other.class_index != result.class_index || other.probability != result.probability) return 5;
    fwrite(&result.class_index, sizeof(int), 1, stdout);
    fwrite(&result.rule, sizeof(int), 1, stdout);
    fwrite(&other.rule, sizeof(int), 1, stdout);
    MORE
    fwrite(&result.probability, sizeof(double), 1, stdout);
  }
  for (k = 0; k < sizeof counts / sizeof *counts; ++k) {
    for (from = 0; from < 40 && from + counts[k] <= rows; from += 13) {
      some[counts[k]]RULE = -7;
      decide_many(&columns, from, counts[k], some);
      for (i = 0; i < counts[k]; ++i) if (some[i]RULE != results[from + i]RULE) return 3;
      if (some[counts[k]]RULE != -7) return 4;
    }
  }
  return 0;
}
"""


def have(compilers: list[list[str]]) -> list[list[str]]:
    found = [command for command in compilers if shutil.which(command[0])]
    if not found:
        pytest.skip("no C compiler")
    return found


def members_of(header: str) -> list[str]:
    return re.search(r"typedef struct \{\n((?:  .*\n)*)\} decide_case;", header).group(1).splitlines()


def original_of(member: str) -> str:
    """The name of the column, from the comment next to a member."""
    kind, field, name = re.fullmatch(r"  (double|int) (\w+); /\* (.*) \*/", member).groups()
    if kind == "int":
        name = name.removesuffix(f": decide_{field}_code")
    if not name.startswith('"'):
        return name
    octal = re.sub(rb"\\([0-7]{3})", lambda found: bytes([int(found[1], 8)]), name[1:-1].encode())
    return octal.decode()


def fields_of(header: str) -> list[tuple[str, str]]:
    """Type and name of each member, in the order of the inputs."""
    members = "\n".join(members_of(header))
    return [field for field in re.findall(r"^  (double|int) (\w+);", members, re.M) if field[1] != "unused"]


def program_text(header: str, case: Case) -> str:
    fields = fields_of(header)
    additive = case.model["inference"]["semantics"] == "additive"
    outputs = {"MANY": "decide_result" if additive else "int", "RESULT": "" if additive else "decide_result_of",
               "RULE": ".rule" if additive else "",
               "MORE": "\n    ".join(f"if (other.{name} != result.{name}) return 6;\n    "
                                     f"fwrite(&result.{name}, sizeof(int), 1, stdout);" for name in case.more)}
    program = PROGRAM
    for name, text in outputs.items():
        program = program.replace(name, text)

    def each(form: str) -> str:
        return "\n  ".join(form.format(type=kind, name=name) for kind, name in fields)

    read = "\n    ".join(f"cases[i].{name} = " + ("number();" if kind == "double" else f"decide_{name}_code(text());")
                         + f"\n    own_{name}[i] = cases[i].{name};" for kind, name in fields)
    use = each("columns.{name} = own_{name};") or "columns.unused = 0;\n  (void)number;\n  (void)text;"
    if fields:
        use += "\n  (void)number;\n  (void)text;"
    return (program.replace("COLUMNS", each("{type} *own_{name};"))
            .replace("ALLOCATE", each("own_{name} = ({type} *)calloc(rows + 1, sizeof *own_{name});"))
            .replace("READ", read).replace("USE", use))


def rows_bytes(case: Case) -> bytes:
    result = struct.pack("<Q", len(case.rows))
    kinds = [(name, feature["type"]) for name, feature in case.inputs.items()]
    parts = []
    for row in case.rows:
        for name, kind in kinds:
            value = row[name]
            if kind == "numeric":
                parts.append(struct.pack("<d", math.nan if value is None else value))
            else:
                text = b"" if value is None else value.encode()
                parts.append(struct.pack("<i", -1 if value is None else len(text)) + text)
    return result + b"".join(parts)


def prepare(case: Case, folder: Path) -> Path:
    folder = folder / case.name
    folder.mkdir(parents=True, exist_ok=True)
    header = export(case.path, "c").decode()
    (folder / "decide.h").write_text(header, encoding="utf-8")
    (folder / "main.c").write_text(program_text(header, case), encoding="utf-8")
    (folder / "rows.bin").write_bytes(rows_bytes(case))
    return folder


def check(case: Case, folder: Path, command: list[str]) -> None:
    binary = folder / re.sub(r"\W+", "_", "_".join(command))
    done = subprocess.run([*command, *WARNINGS, "main.c", "-o", binary, "-lm"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, (case.name, command, done.stderr)
    done = subprocess.run([binary, "rows.bin"], cwd=folder, capture_output=True)
    assert done.returncode == 0, (case.name, command, done.returncode, done.stderr)
    classes = case.model["classes"]
    actual = done.stdout.split(b"\0", len(classes))
    assert [name.decode() for name in actual[:-1]] == classes
    results = list(struct.iter_unpack(f"<iii{'i' * len(case.more)}d", actual[-1]))
    assert len(results) == len(case.rows)
    for row, expected, (index, rule, rule_of_many, *more, probability) in zip(
            case.rows, case.expected, results, strict=True):
        decision = case.decision(classes[index], rule, probability, *more)
        assert decision.result == expected.result, (case.name, command, row)
        assert rule_of_many == expected.rule, (case.name, command, row)
        assert math.isnan(expected.probability) or abs(probability - expected.probability) <= 1e-12


def check_all(cases: list[Case], folder: Path, commands: list[list[str]]) -> None:
    with ThreadPoolExecutor(2) as pool:
        folders = list(pool.map(lambda case: prepare(case, folder), cases))
        work = [(case, own, command) for case, own in zip(cases, folders, strict=True) for command in have(commands)]
        for done in [pool.submit(check, *each) for each in work]:
            done.result()
    print(f"{sum(len(case.rows) for case in cases):,} rows of {len(cases)} models, compiled in {len(commands)} ways")


def test_decides_as_the_program_does(built_in, tmp_path):
    check_all(built_in, tmp_path, FEW)


def test_with_any_compiler_options(built_in, tmp_path):
    check_all([case for case in built_in if case.name in ("breast_cancer", "missing", "loans_hamacher")], tmp_path, ALL)


def test_decides_as_the_program_does_on_the_benchmark(benchmark, tmp_path):
    check_all(benchmark, tmp_path, [*FEW, ["clang", "-std=c99", "-O1", *SANITIZE]])


def test_ties_and_large_models(tmp_path):
    check_all(odd_models.random_cases(tmp_path / "odd", 8), tmp_path, FEW[:1])
    check_all(sources.large_cases(tmp_path / "large"), tmp_path, FEW)


def test_additive_models(tmp_path):
    cases = sources.additive_cases(tmp_path / "models")
    check_all([*cases, sources.named_case(tmp_path / "named")], tmp_path, FEW)
    check_all(cases[-1:], tmp_path, [*SOME, ALL[-1]])


def test_tiny_degrees(tmp_path):
    check_all(sources.empty_cases(tmp_path / "models"), tmp_path, FEW + SOME)


def test_hostile_names(tmp_path):
    case = sources.hostile_case(tmp_path / "model")
    check_all([case], tmp_path, [["gcc", "-std=c99"], ["clang", "-std=c99", *SANITIZE], ["g++", "-x", "c++", "-std=c++17"]])
    header = (tmp_path / case.name / "decide.h").read_text(encoding="utf-8")
    for line in ("int a_b; /* a b: decide_a_b_code */", "double a_b_2; /* a-b */", "double linux_2; /* linux */"):
        assert line in header
    assert len({name for _, name in fields_of(header)}) == len(sources.HOSTILE)
    assert [original_of(line) for line in members_of(header)] == list(case.inputs)


@pytest.mark.parametrize("where", ["class", "category"])
def test_a_text_that_c_cannot_hold_is_refused(tmp_path, where):
    text = "a\0b"
    features = {"x": {"type": "categorical", "categories": [text if where == "category" else "a"]}}
    classes = [text if where == "class" else "yes", "no"]
    model = sources.model_of(features, [{"if": {"x": features["x"]["categories"][0]}, "then": "no", "weight": 1}], classes)
    done = frr("export", sources.write(model, tmp_path), "--to", "c", check=False)
    assert done.returncode == 1 and b"NUL" in done.stderr and done.stdout == b""


@pytest.mark.parametrize("options", [["--tnorm", "aczel-alsina"], ["--root", "2"]])
def test_powers_are_refused(tmp_path, options):
    model = tmp_path / "model.json"
    frr("train", ROOT / "data" / "iris.csv", "-o", model, "--quiet", *options)
    done = frr("export", model, "--to", "c", check=False)
    assert done.returncode == 1 and b"python, javascript" in done.stderr


def test_the_name_of_the_function(built_in):
    header = export(built_in[0].path, "c", "--name", "triage level").decode()
    assert "#ifndef TRIAGE_LEVEL_H" in header and "triage_level_result triage_level(" in header
    assert "decide_" not in header


@pytest.mark.parametrize("command", have(FEW) + [["gcc", "-std=c99", "-O3"]], ids=" ".join)
def test_calls_nothing(built_in, tmp_path, command):
    (tmp_path / "decide.h").write_bytes(export(built_in[0].path, "c"))
    (tmp_path / "use.c").write_text("""
#include "decide.h"
decide_result one(const decide_case *row);
void many(const decide_columns *columns, size_t from, size_t count, int *rules);
decide_result one(const decide_case *row) { return decide(row); }
void many(const decide_columns *columns, size_t from, size_t count, int *rules) {
  decide_many(columns, from, count, rules);
}
""")
    subprocess.run([*command, *WARNINGS, "-c", "use.c"], cwd=tmp_path, check=True)
    names = subprocess.run(["nm", "--undefined-only", "use.o"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert names.stdout.strip() == ""


@pytest.mark.parametrize("command", have(FEW), ids=" ".join)
def test_additive_rules_call_only_exp(tmp_path, command):
    case = next(case for case in policy_cases(tmp_path / "models", rows=40) if case.name == "card_costs_refer")
    (tmp_path / "decide.h").write_bytes(export(case.path, "c"))
    (tmp_path / "use.c").write_text("""
#include "decide.h"
decide_result one(const decide_case *row);
void many(const decide_columns *columns, size_t from, size_t count, decide_result *results);
decide_result one(const decide_case *row) { return decide(row); }
void many(const decide_columns *columns, size_t from, size_t count, decide_result *results) {
  decide_many(columns, from, count, results);
}
""")
    subprocess.run([*command, *WARNINGS, "-c", "use.c"], cwd=tmp_path, check=True)
    names = subprocess.run(["nm", "--undefined-only", "use.o"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert names.stdout.split() == ["U", "exp"]


@pytest.mark.parametrize("option", ["-ffast-math", "-Ofast", "-ffinite-math-only"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_fast_math_is_refused(built_in, tmp_path, compiler, option):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (tmp_path / "decide.h").write_bytes(export(built_in[0].path, "c"))
    (tmp_path / "use.c").write_text('#include "decide.h"\n')
    done = subprocess.run([compiler, option, "-c", "use.c"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and "-ffast-math" in done.stderr


def test_extended_precision_is_refused(built_in, tmp_path):
    if platform.machine() != "x86_64":
        pytest.skip("only x87 has them")
    (tmp_path / "decide.h").write_bytes(export(built_in[0].path, "c"))
    (tmp_path / "use.c").write_text('#include "decide.h"\n')
    command = ["gcc", "-mfpmath=387", "-c", "use.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and "-mfpmath=sse" in done.stderr


def test_includes_no_library_header(built_in, tmp_path):
    """As on a bare machine: only the headers of the compiler."""
    (tmp_path / "decide.h").write_bytes(export(built_in[0].path, "c"))
    (tmp_path / "use.c").write_text('#include "decide.h"\n')
    own = subprocess.run(["gcc", "-print-file-name=include"], check=True, capture_output=True, text=True).stdout.strip()
    command = ["gcc", "-std=c99", "-ffreestanding", "-nostdinc", "-isystem", own, *WARNINGS, "-c", "use.c"]
    subprocess.run(command, cwd=tmp_path, check=True)


# ---- Speed ---------------------------------------------------------------------------------------

MOST_NANOSECONDS = 60  # per row, 15 rules
MOST_RATIO = 2.5  # to the library, which can choose better instructions: 1.2 to 1.6 on quiet machines
SPEED = """
#include "decide.h"
void decide_rows(const double *rows, size_t count, int *rules);
void decide_arrays(const double *const *arrays, size_t count, int *rules);
void decide_rows(const double *rows, size_t count, int *rules) {
  const decide_case *cases = (const decide_case *)(const void *)rows;
  size_t i;
  for (i = 0; i < count; ++i) rules[i] = decide(&cases[i]).rule;
}
void decide_arrays(const double *const *arrays, size_t count, int *rules) {
  decide_columns columns;
  USE
  decide_many(&columns, 0, count, rules);
}
"""


@pytest.fixture(scope="module")
def speed(tmp_path_factory) -> Path:
    """A model of 15 rules, the comparison with the library, and the C code to compare."""
    library, bench = ROOT / "build" / "libfrr.a", ROOT / "build" / "bench" / "frr_bench"
    if not library.exists() or not bench.exists():
        pytest.skip("build/libfrr.a or build/bench/frr_bench is not built: make bench")
    folder = tmp_path_factory.mktemp("speed")
    subprocess.run([bench, "table", "10000", "20", "2", folder / "table.csv"], check=True)
    model = folder / "model.json"
    frr("train", folder / "table.csv", "--polish", "false", "--tune", "false", "-o", model, "--quiet")
    assert len(Case("speed", model, [], []).model["rules"]) == 15
    header = export(model, "c").decode()
    (folder / "decide.h").write_text(header, encoding="utf-8")
    use = "\n  ".join(f"columns.{name} = arrays[{i}];" for i, (_, name) in enumerate(fields_of(header)))
    (folder / "decide.c").write_text(SPEED.replace("USE", use), encoding="utf-8")
    folders = [ROOT / "include", ROOT / "build" / "include", ROOT / "src"]
    subprocess.run(["g++", "-std=c++20", "-O2", *(f"-I{path}" for path in folders), "-c",
                    ROOT / "tests" / "export" / "speed.cpp", "-o", "speed.o"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("command", have(FEW), ids=" ".join)
def test_speed(speed, command, capsys):
    subprocess.run([*command, *WARNINGS, "-c", "decide.c", "-o", "decide.o"], cwd=speed, check=True)
    subprocess.run(["g++", "speed.o", "decide.o", ROOT / "build" / "libfrr.a", "-pthread", "-o", "speed"], cwd=speed,
                   check=True)
    best = [math.inf] * 3
    for _ in range(8):  # other programs may run at the same time
        done = subprocess.run(["./speed", "model.json", "1000000"], cwd=speed, check=True, capture_output=True, text=True)
        best = [min(pair) for pair in zip(best, map(float, done.stdout.split()), strict=True)]
        library, one, many = best
        if max(one, many) <= min(MOST_NANOSECONDS, MOST_RATIO * library):
            break
    with capsys.disabled():
        print(f"\n{' '.join(command)}: {one:.1f} ns a row one by one, {many:.1f} ns in columns, the library "
              f"{library:.1f} ns: ratios {one / library:.2f} and {many / library:.2f}")
    assert max(one, many) <= MOST_NANOSECONDS
    assert max(one, many) <= MOST_RATIO * library
