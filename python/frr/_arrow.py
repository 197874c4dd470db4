"""pyarrow, or a word on how to get it."""

try:
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq
except ImportError as error:
    raise ImportError(
        "frr.files reads Parquet and Arrow files by pyarrow, which is not installed: "
        "pip install 'frr[parquet]'"
    ) from error

__all__ = ["ds", "pa", "pq"]
