"""The rule of this project: the whole result, typed, ordered where the question orders, undecided where gold is."""

from __future__ import annotations

from dataclasses import replace

from dragoman.errors import Unreadable
from dragoman.metrics.case import Case, Outcome
from dragoman.metrics.digest import Digest, digest_query, digests_match
from dragoman.metrics.flags import STRICT
from dragoman.metrics.gold import GoldFailed
from dragoman.metrics.order import key_columns, ordered_match, ranked_match, window, window_match
from dragoman.sql.is_random import is_random
from dragoman.sql.outer_order import OuterOrder, outer_order, with_ranks

_ORDERED = replace(STRICT, row_order=True)
_UNSEEN_CUT = "Whether the LIMIT cuts a tie cannot be seen."
_UNSEEN_TIES = "Which rows the engine holds tied cannot be seen."


def strict(case: Case) -> Outcome:
    """Right if the result equals that of any gold query under `STRICT`.

    The gold queries run first: an example whose gold is broken is not scored, whatever the answer. Where the outermost
    gold query orders, the order of its projected sort keys counts. Where its LIMIT cuts a tie, every choice among the
    tied rows is right. The score is None where every gold query failed, or where a result that does not match may
    still be right: the bound of the digests was hit, or a tie cannot be laid open.
    """
    golds, broken = [], ""
    for sql in case.golds:
        try:
            result = case.gold.digest(case.database, sql)
            if is_random(sql, case.database.dialect):
                raise GoldFailed("The gold query is random: it may give another result each time.")
            golds.append((sql, result))
        except GoldFailed as error:
            broken = broken or str(error)
    if not golds:
        return Outcome(None, broken)
    predicted = case.predicted
    outcomes = [_compare(case, sql, gold, predicted) for sql, gold in golds]
    return max(outcomes, key=lambda outcome: 0.5 if outcome.score is None else outcome.score)


def _compare(case: Case, sql: str, gold: Digest, predicted: Digest) -> Outcome:
    try:
        order = outer_order(sql, case.database.dialect)
    except Unreadable:
        order = OuterOrder()
    keys = key_columns(order, gold.columns)
    same = _same(gold, predicted, keys)
    if same is None and not (gold.truncated or predicted.truncated):
        gold = case.gold.again(case.database, sql)
        predicted = digest_query(case.database, case.sql, replace(case.gold.bound, keep=case.gold.bound.again))
        same = _same(gold, predicted, keys)
    if same:
        return Outcome(1.0)
    if same is None:
        return Outcome(None, "The result is too large to be compared.")
    wrong = Outcome(0.0, _difference(gold, predicted))
    if len(predicted.columns) != len(gold.columns) or predicted.count != gold.count:
        return wrong
    if not order.unlimited:
        return _by_ranks(case, sql, order, gold, wrong) if keys and digests_match(gold, predicted) else wrong
    outcome = _behind_limit(case, order, gold, predicted)
    return outcome if outcome.correct or not order.ordered else _by_ranks(case, sql, order, gold, outcome)


def _same(gold: Digest, predicted: Digest, keys: tuple[int, ...]) -> bool | None:
    """Whether the results are equal by the values of the projected keys; False also where these cannot be found."""
    if not keys:
        return digests_match(gold, predicted)
    if gold.kept is not None and predicted.kept is not None:
        if -1 in keys:
            return bool(digests_match(gold, predicted, _ORDERED))
        return ordered_match(gold.kept, predicted.kept, keys)
    if digests_match(gold, predicted) is False:
        return False
    return True if digests_match(gold, predicted, _ORDERED) else None


def _by_ranks(case: Case, sql: str, order: OuterOrder, gold: Digest, outcome: Outcome) -> Outcome:
    """Judge by the sort keys that the engine itself holds equal; `outcome` is what their values say."""
    keys, shown = key_columns(order, gold.columns), case.predicted.kept
    text = with_ranks(sql, case.database.dialect)
    try:
        ranked = case.gold.rows(case.database, text) if text and shown is not None else None
    except GoldFailed:
        ranked = None
    right = ranked_match(ranked, shown, order, keys) if ranked is not None and shown is not None else None
    if right:
        return Outcome(1.0, "Rows that the gold query leaves tied stand in another order, or others are chosen.")
    if right is False:
        return outcome if outcome.score is not None else Outcome(0.0, "The gold query allows no such result.")
    if -1 in keys or (order.collated and _texts(gold, keys, order)):
        return outcome if outcome.score is None or not _possible(case, order, gold) else Outcome(None, _UNSEEN_TIES)
    return outcome


def _texts(gold: Digest, keys: tuple[int, ...], order: OuterOrder) -> bool:
    """Whether a sort key may be a text."""
    hidden = gold.kept is None or len(keys) < len(order.keys)
    return hidden or any(isinstance(row[i], str) for row in gold.kept or () for i in keys)


def _possible(case: Case, order: OuterOrder, gold: Digest) -> bool:
    """Whether the answer would be right if every row were tied with every other."""
    shown = case.predicted.kept
    if not order.unlimited or shown is None:
        return True
    try:
        everything = case.gold.rows(case.database, order.with_keys or order.unlimited)
    except GoldFailed:
        return True
    anything = window(everything, replace(order, keys=()), len(gold.columns))
    return anything is None or window_match(anything, shown)


def _behind_limit(case: Case, order: OuterOrder, gold: Digest, predicted: Digest) -> Outcome:
    """Judge against the gold query without its LIMIT."""
    try:
        everything = case.gold.rows(case.database, order.with_keys or order.unlimited)
        shown = predicted.kept
    except GoldFailed as error:
        return Outcome(None, f"Whether the LIMIT cuts a tie cannot be seen. {error}")
    if shown is None:
        return Outcome(None, "The result is too large to be compared.")
    if not order.with_keys:
        return Outcome(None, _UNSEEN_CUT) if _possible(case, order, gold) else Outcome(0.0)
    whole = window(everything, order, len(gold.columns))
    if whole is None:
        return Outcome(None, _UNSEEN_CUT)
    if not whole.cuts_tie:
        return Outcome(0.0, _difference(gold, predicted))
    if window_match(whole, shown):
        return Outcome(1.0, "The LIMIT of the gold query cuts a tie, and this is one of the results it may give.")
    return Outcome(0.0, "The LIMIT of the gold query cuts a tie, and this is none of the results it may give.")


def _difference(gold: Digest, predicted: Digest) -> str:
    if len(predicted.columns) != len(gold.columns):
        return f"{len(predicted.columns)} columns instead of {len(gold.columns)}."
    if predicted.count != gold.count:
        return f"{predicted.count} rows instead of {gold.count}."
    same_rows = predicted.multiset == gold.multiset
    return "The rows stand in another order." if same_rows else "The rows differ."
