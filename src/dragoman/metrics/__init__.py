"""Is this answer right? One verdict per example, never an average."""

from dragoman.metrics.case import Case, Outcome, Rule
from dragoman.metrics.digest import Bound, Digest, digest, digest_query, digest_rows, digests_match
from dragoman.metrics.flags import STRICT, Flags
from dragoman.metrics.gold import GoldCache, GoldFailed
from dragoman.metrics.groups import group_results
from dragoman.metrics.judge import judge, judge_case
from dragoman.metrics.rows_match import rows_match
from dragoman.metrics.rules import RULES
from dragoman.metrics.verdict import Judgement, Verdict

__all__ = [
    "RULES",
    "STRICT",
    "Bound",
    "Case",
    "Digest",
    "Flags",
    "GoldCache",
    "GoldFailed",
    "Judgement",
    "Outcome",
    "Rule",
    "Verdict",
    "digest",
    "digest_query",
    "digest_rows",
    "digests_match",
    "group_results",
    "judge",
    "judge_case",
    "rows_match",
]
