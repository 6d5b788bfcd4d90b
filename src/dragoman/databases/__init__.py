"""Databases: connect, introspect, execute within limits. One file per engine."""

from dragoman.databases.connect import connect
from dragoman.databases.database import Database, Engine, Limits, Rows, RowStream, View

__all__ = ["Database", "Engine", "Limits", "RowStream", "Rows", "View", "connect"]
