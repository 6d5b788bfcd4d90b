"""A warehouse of many tables and nested columns, made by code in DuckDB and PostgreSQL, and its workload."""

from dragoman.demo.warehouse.workload import needs_exploration, workload

__all__ = ["needs_exploration", "workload"]
