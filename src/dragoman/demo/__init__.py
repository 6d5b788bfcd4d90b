"""The demo database and its workload, made by code."""

from dragoman.demo.build import build, checksum, open_demo

__all__ = ["build", "checksum", "open_demo"]
