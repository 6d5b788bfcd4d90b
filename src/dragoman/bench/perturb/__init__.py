"""Perturbations of schemas, for measuring only: nothing that proposes names or trains a model may read this room."""

from dragoman.bench.perturb.perturb import perturb

__all__ = ["perturb"]
