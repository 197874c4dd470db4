"""pyarrow, or an error that says how to install it."""

try:
    import pyarrow as pa
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq
except ImportError as error:
    raise ImportError(
        "frr.files needs pyarrow to read Parquet and Arrow files; install it with: "
        "pip install 'frr[parquet]'"
    ) from error

__all__ = ["ds", "pa", "pq"]
