"""What a database is made of, and its rendering to text."""

from dragoman.schema.render import compact, ddl
from dragoman.schema.schema import Column, ForeignKey, Schema, Table

__all__ = ["Column", "ForeignKey", "Schema", "Table", "compact", "ddl"]
