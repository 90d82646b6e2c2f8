"""Reads the tables that `kairos export` wrote: from Parquet where pyarrow is installed, else from bundle.sqlite."""

import sqlite3
from pathlib import Path

import pandas as pd


def load(bundle, table):
    """One table of a bundle as a pandas DataFrame, with its times as timestamps (UTC). Prints why one is empty."""
    frame = _read(Path(bundle), table)
    if frame.empty:
        about = _read(Path(bundle), "about")
        for why in about["value"][about["name"] == f"missing_{table}"]:
            print(f"no {table}: {why}" if why else f"no {table}: the run has none")
    return frame


def _read(bundle, table):
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return _from_sqlite(bundle / "bundle.sqlite", table)
    frame = pd.read_parquet(bundle / f"{table}.parquet")
    for name in frame.select_dtypes("datetime").columns:
        frame[name] = frame[name].dt.tz_localize("UTC")
    return frame


def _from_sqlite(file, table):
    with sqlite3.connect(file) as database:
        times = database.execute(
            "SELECT column_name FROM columns WHERE table_name = ? AND kind = 'time'", (table,)
        )
        frame = pd.read_sql_query(f'SELECT * FROM "{table}"', database)
        for (name,) in times:
            frame[name] = pd.to_datetime(frame[name], utc=True)
    return frame
