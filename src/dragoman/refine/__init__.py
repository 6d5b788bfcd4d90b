"""Execution-grounded schema refinement (EGRefine): clearer names, proved by execution, deployed as SQL views."""

from dragoman.refine.refinement import Refinement, inverse, refined_schema

__all__ = ["Refinement", "inverse", "refined_schema"]
