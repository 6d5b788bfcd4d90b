"""SQL as text and as tree. The only room that imports sqlglot."""

from dragoman.sql.access import AccessPolicy
from dragoman.sql.extract import Extracted, extract
from dragoman.sql.guard import guard
from dragoman.sql.parse import Tree, parse

__all__ = ["AccessPolicy", "Extracted", "Tree", "extract", "guard", "parse"]
