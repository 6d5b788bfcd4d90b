"""The demo database and its workload, made by code."""

from dragoman.demo.build import build, checksum, open_demo
from dragoman.demo.locate import locate
from dragoman.demo.workload import workload

__all__ = ["build", "checksum", "locate", "open_demo", "workload"]
