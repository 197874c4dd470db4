"""Arbitrary input for the fuzz tests.

FRR_FUZZ_SECONDS=600 repeats each of them for 600 seconds, with new random input.
"""

import contextlib
import os
import time

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

SECONDS = float(os.environ.get("FRR_FUZZ_SECONDS", 0))
ALLOWED = (ValueError, TypeError, OverflowError, MemoryError)


def fuzz(examples: int):
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=not SECONDS,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def again(body) -> None:
    """Runs a test once, or with new input until the time is up."""
    until = time.monotonic() + SECONDS
    body()
    while time.monotonic() < until:
        body()


def attempt(action):
    """The result, or None after an acceptable error."""
    try:
        return action()
    except ALLOWED:
        return None


def use_estimator(action):
    """Like attempt, but the error must refer to the arguments of the user, not to the bindings."""
    try:
        return action()
    except ALLOWED as error:
        if "incompatible function arguments" in str(error):
            raise AssertionError(f"an error of the bindings: {error}") from error
        return None


# ---- Input ---------------------------------------------------------------------------------------

odd_texts = st.sampled_from(
    ["", " ", "nan", "inf", "-1e999", "\0", "a\0b", "\ud800", "é" * 50, "x\n", "1_0", "True"]
)
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=5),
    odd_texts,
    st.binary(max_size=4),
    st.datetimes(),
    st.timedeltas(),
    st.decimals(),
    st.fractions(),
    st.just(10**400),
    st.just(pd.NA),
    st.just(pd.NaT),
    st.builds(object),
)
nested = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers()), inner, max_size=3),
        st.sets(st.integers(), max_size=3),
    ),
    max_leaves=15,
)
dtypes = st.one_of(
    hnp.scalar_dtypes(), st.just(np.dtype(object)), hnp.array_dtypes(), st.just(np.dtype("U3"))
)
arrays = hnp.arrays(
    dtypes.filter(lambda dtype: dtype.kind != "O"),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=7),
)


@st.composite
def views(draw) -> np.ndarray:
    """Strided, reversed, transposed, broadcast and read-only numbers."""
    rows, columns = draw(st.integers(0, 12)), draw(st.integers(0, 4))
    dtype = draw(st.sampled_from(["<f8", ">f8", "<f4", ">f4", "<f2", "<i8", ">u2", "?", "<g"]))
    array = draw(hnp.arrays(np.float32, (rows, columns))).astype(dtype)
    how = draw(st.sampled_from(["plain", "reversed", "every", "turned", "spread", "packed", "F"]))
    if how == "reversed":
        array = array[::-1, ::-1]
    elif how == "every":
        array = np.repeat(array, 3, axis=0)[::3]
    elif how == "turned":
        array = array.T
    elif how == "spread":
        array = np.broadcast_to(array[:1], (6, columns)) if rows else array
    elif how == "packed":  # strides that are not a multiple of the item size
        packed = np.zeros(rows, [("pad", "u1"), ("data", array.dtype, (columns,))])
        packed["data"] = array
        array = packed["data"]
    elif how == "F":
        array = np.asfortranarray(array)
    if draw(st.booleans()):
        array.flags.writeable = False
    return array


@st.composite
def object_tables(draw) -> np.ndarray:
    rows, columns = draw(st.integers(1, 8)), draw(st.integers(1, 3))
    table = np.empty((rows, columns), object)
    for i in range(rows):
        for j in range(columns):
            table[i, j] = draw(scalars)
    return table


@st.composite
def frames(draw):
    rows = draw(st.integers(0, 8))
    names = draw(st.lists(st.one_of(st.text(max_size=3), odd_texts, st.integers()), max_size=4))
    columns = [
        draw(
            st.one_of(
                st.lists(scalars, min_size=rows, max_size=rows),
                st.lists(st.floats(), min_size=rows, max_size=rows),
                st.lists(st.sampled_from(["a", "b", None]), min_size=rows, max_size=rows),
            )
        )
        for _ in names
    ]
    if draw(st.booleans()):
        table = pd.DataFrame({i: pd.Series(c, dtype=object) for i, c in enumerate(columns)})
        if draw(st.booleans()):
            with contextlib.suppress(UnicodeEncodeError):  # half a surrogate pair
                table = table.infer_objects()
        table.columns = names
        if names and draw(st.booleans()):
            how = draw(st.sampled_from(["astype", "convert_dtypes"]))
            with contextlib.suppress(Exception):  # pandas itself rejects it
                table = table.astype("category") if how == "astype" else table.convert_dtypes()
        return table
    try:
        return pl.DataFrame(
            {str(n): pl.Series(c, strict=False) for n, c in zip(names, columns, strict=True)}
        )
    except (Exception, pl.exceptions.PanicException):  # polars itself rejects it
        return pl.DataFrame({"a": [1.0, 2.0]})


tables = st.one_of(nested, arrays, views(), object_tables(), frames())
targets = st.one_of(nested, arrays, st.lists(st.integers(0, 2), max_size=12), st.none())
