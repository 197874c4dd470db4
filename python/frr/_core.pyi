"""The compiled part. A column is (name, float64 or float32 array; NaN: missing) or
(name, int32 codes; -1: missing, categories)."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64] | NDArray[np.float32]
Column: TypeAlias = tuple[str, Numbers] | tuple[str, NDArray[np.int32], list[str]]
# rule (1: the first), truth, score, [(feature, label, membership, value)]
Truth: TypeAlias = tuple[int, float, float, list[tuple[str, str, float, str]]]
# positive, [(true class, predicted class, cost)], cost of a miss, threshold, sensitivity,
# specificity, refer
Policy: TypeAlias = tuple[
    str,
    list[tuple[str, str, float]],
    float | None,
    float | None,
    float | None,
    float | None,
    float,
]
# class, rule (0: ELSE), score, probabilities, winner, runner-up, margin,
# [(feature, from, to, distance, class, rule)], whether all changes are known, whether the row is
# referred, scores of the classes (additive), rules that apply
Why: TypeAlias = tuple[
    int,
    int,
    float,
    list[float],
    Truth | None,
    Truth | None,
    float,
    list[tuple[str, str, str, float, int, int]],
    bool,
    bool,
    list[float],
    list[Truth],
]

__version__: str

class Model:
    def predict(
        self,
        columns: list[Column],
        labels: NDArray[np.int64],
        out: NDArray[np.int64],
        threads: int,
    ) -> None: ...
    def apply(self, columns: list[Column], out: NDArray[np.int64], threads: int) -> None: ...
    def predict_proba(
        self,
        columns: list[Column],
        positions: NDArray[np.int64],
        out: NDArray[np.float64],
        threads: int,
    ) -> None:
        """`positions`: the column of `out` for each class."""

    def rule_probabilities(self, positions: NDArray[np.int64], out: NDArray[np.float64]) -> None:
        """The same for ELSE and each rule of a sufficient model."""

    def referred(self, columns: list[Column], out: NDArray[np.bool_], threads: int) -> None: ...
    def decide(self, policy: Policy, keep: bool) -> Model:
        """The same rules with another policy; `keep`: with the same costs and threshold."""

    def choose(
        self,
        columns: list[Column],
        rows: int,
        weights: NDArray[np.float64] | None,
        policy: Policy,
        threads: int,
    ) -> Model:
        """The same rules with a policy whose threshold is chosen on these rows, which contain the
        target."""

    @property
    def base_rates(self) -> list[float]: ...
    @property
    def positive(self) -> str: ...
    @property
    def refers(self) -> bool:
        """Whether it refers rows to a person."""

    def decision_scores(
        self, columns: list[Column], out: NDArray[np.float64], threads: int
    ) -> None: ...
    def memberships(
        self, columns: list[Column], out: NDArray[np.float64], threads: int
    ) -> None: ...
    def explain(self, columns: list[Column], rows: int) -> list[Why]: ...
    def report(
        self,
        columns: list[Column],
        rows: int,
        show: list[str],
        data: str,
        made: str,
        accuracies: list[float],
        why_not: str,
        threads: int,
    ) -> str: ...
    def export_to(
        self,
        format: str,
        name: str,
        dialect: str,
        table: str,
        as_: str,
        prefix: str,
        float32: bool,
        rule_set: bool,
    ) -> bytes: ...
    def learned_from(self, columns: list[Column], rows: int) -> bool: ...
    def training_cost(self, rows: int) -> float:
        """The work of training the model again, relative to the usual settings."""

    def cross_validate(
        self,
        columns: list[Column],
        rows: int,
        folds: int,
        class_weights: list[tuple[str, float]],
        partition: str,
        threads: int,
    ) -> list[float]:
        """Accuracy of each fold in percent."""

    @property
    def uses_partition_file(self) -> bool: ...
    def to_json(self) -> str: ...
    def to_text(self) -> str: ...
    def to_markdown(self) -> str: ...
    def save(self, path: str) -> None: ...
    @property
    def losses(self) -> list[float]: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def target(self) -> str: ...
    @property
    def used_features(self) -> list[str]: ...
    def __getstate__(self) -> tuple[str, list[float]]: ...
    def __setstate__(self, state: tuple[str, list[float]]) -> None: ...

def option_table() -> list[tuple[str, str, str, str, str, str, bool]]:
    """(name, kind, range, help, value in preset default, value in preset paper, advanced)."""

usual_folds: int
most_validated_cells: float

def check_options(preset: str, options: Sequence[tuple[str, str]]) -> None: ...

first_stage: str

def train(
    columns: list[Column],
    classes: NDArray[np.int32],
    class_names: list[str],
    target: str,
    source: str,
    preset: str,
    options: list[tuple[str, str]],
    recorded: list[tuple[str, str]],
    weights: NDArray[np.float64] | None,
    class_weights: list[tuple[str, float]],
    policy: Policy,
    partition: str,
    progress: Callable[[str, float, int, int, float], Any] | None,
) -> Model: ...
def fit_partition(
    columns: list[Column],
    rows: int,
    classes: NDArray[np.int32] | None,
    class_count: int,
    options: list[tuple[str, str]],
    given: str,
    threads: int,
) -> Model: ...
def answer(
    request: bytes,
    columns: list[Column],
    rows: int,
    shard: int,
    threads: int,
    target_type: str,
) -> bytes: ...
def add_answers(answers: list[bytes]) -> bytes: ...
def columns_asked(request: bytes) -> list[str]:
    """The columns that a request needs; empty means all."""

def plan_memory(
    memory: float,
    columns: int,
    row: float,
    stream: float,
    whole_rows: int,
    resident: float,
    rows: int,
    search_rows: int,
    readers: int,
) -> tuple[int, int, int]:
    """(rows of a shard, readers, rows of the sample)."""

def plan_prediction(
    memory: float,
    columns: int,
    row: float,
    stream: float,
    whole_rows: int,
    resident: float,
    result_row: float,
) -> int: ...
def question_of(request: bytes) -> tuple[str, str, list[str]]:
    """(kind, target, numeric columns that are categorical)."""

def read_survey(answer: bytes) -> tuple[list[tuple[str, bool]], list[str], list[str]]:
    """([(column, whether it is categorical)], classes, types of the target)."""

def train_shards(
    ask: Callable[[bytes], bytes],
    target: str,
    weight: str,
    categorical: list[str],
    source: str,
    preset: str,
    options: list[tuple[str, str]],
    class_weights: list[tuple[str, float]],
    policy: Policy,
    partition: str,
    progress: Callable[[str, float, int, int, float], Any] | None,
) -> Model: ...
def evaluate(
    truth: NDArray[np.int32],
    predicted: NDArray[np.int32],
    shares: NDArray[np.float64],
    class_names: list[str],
    prior_rows: list[float],
    referred: NDArray[np.bool_] | None,
    weights: NDArray[np.float64] | None,
    positive: str,
    groups: list[Column],
    target: str,
    seed: int,
    threads: int,
) -> str:
    """JSON of the metrics. A row whose `truth` is -1 is left out; `prior_rows`: rows of each class
    in training, or empty."""

class FileReplacement:
    """A file that replaces `path` in one step when `commit` is called, and not at all otherwise.
    The object closes the descriptor."""

    def __init__(self, path: bytes) -> None: ...
    def fileno(self) -> int: ...
    def commit(self) -> None: ...
    def abandon(self) -> None: ...

def write_file(path: str, content: bytes) -> None: ...
def shortest(value: float) -> str:
    """The shortest text that reads back as the same number."""

def csv_field(text: str) -> str: ...
def spreadsheet_field(text: str) -> str: ...
def export_formats() -> list[tuple[str, str]]:
    """(name, summary)"""

def from_json(text: str, source: str) -> Model: ...
