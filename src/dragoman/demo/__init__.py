"""The demo database and its workload, made by code."""

from dragoman.demo.build import build, checksum, open_demo
from dragoman.demo.workload import workload

__all__ = ["build", "checksum", "open_demo", "workload"]
