"""Proposes questions with gold SQL for a database that has none. What is proposed stays unconfirmed until accepted."""

from dragoman.bench.draft.accept import Draft, write_draft
from dragoman.bench.draft.with_model import draft_with_model
from dragoman.bench.draft.with_templates import draft_with_templates

__all__ = ["Draft", "draft_with_model", "draft_with_templates", "write_draft"]
