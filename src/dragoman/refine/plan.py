"""What a refinement would ask and could gain, before anything is spent."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.questions import Example
from dragoman.refine.bundles import MOST_TRIES, whole_tables
from dragoman.refine.contest import Court
from dragoman.refine.expected_gain import Expected, expected_gain
from dragoman.refine.propose import COUNT
from dragoman.refine.refine import RefineSettings, Ways, checking, convene
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.screen import Screened, open_places, screen
from dragoman.refine.stored_queries import grouped_by_key
from dragoman.refine.subject import subjects
from dragoman.refine.trials import Trials
from dragoman.refine.verdict_store import VerdictStore

HALF = 0.5
"""The share that is taken to be right under the old names, as long as nothing was asked."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`screened` of `columns` columns were screened in, and `tables` tables; `tried` of both are read by questions
    enough to judge a name by, alone or with their table. Of `questions` questions that can be judged, `touched` choose
    among names.

    `likely` and `most` answers would be asked for, those under the old names included; what conflicts and the joint
    check ask again when names fall is not counted. `gain` is (least, likely, most) in percentage points, by
    `expected`. `pointless` says why not to begin, "" if there is no such reason. `regroup` are sentences on the gold
    queries that would have to change on deployed views of tables with unclear names, as views have no keys.
    """

    columns: int
    screened: int
    tables: int
    tried: int
    questions: int
    touched: int
    likely: int
    most: int
    gain: tuple[float, float, float]
    expected: Expected
    pointless: str = ""
    regroup: tuple[str, ...] = ()


def plan(
    base: GuardedDatabase,
    examples: Iterable[Example],
    ways: Ways,
    settings: RefineSettings = RefineSettings(),
    names: int = COUNT,
    expected: Expected | None = None,
) -> Plan:
    """What `refine` would ask and could gain with `names` names for each place; of the models only the screener is
    asked. A new name alone is likely asked what the old one fails, here half of its questions, and at most everything.
    """
    expected = expected or expected_gain()
    trials = Trials(base, ways.verifiers, VerdictStore(), settings.trial)
    whole, schema = convene(base, tuple(e for e in examples if e.sql), trials, settings), base.schema()
    held, own = checking(whole, settings)
    court = whole if own else replace(whole, held_out=frozenset(held))
    about = subjects(open_places(schema, settings.only, tables=settings.tables), base, schema, ways.domain)
    screened = screen(schema, about, ways.screen, ways.notes)
    columns = sum(1 for _, column in screened.kept if column)
    sets = _sets(court, screened, whole_tables(schema, screened, settings.bundles))
    least = court.threshold.least_questions
    tried = [p for p in screened.kept if len(court.questions(p)) >= least or any(p in own for own in sets)]
    questions = sum(1 for n in range(len(court.examples)) if n not in court.unjudged)
    touched = court.questions(*tried)
    gain = expected.gain(screened.columns, sum(1 for _, column in tried if column))
    each = len(trials.verifiers) * len(court.draws)
    checks = 2 * len(held) * (len(ways.verifiers) + len(ways.held_out)) * len(court.draws)
    likely, most = _new_names(court, screened, sets, names)
    old = len(touched) * each + checks
    sample = min(settings.bounds.sample, questions) * each
    found = Plan(
        screened.columns, columns, len(screened.kept) - columns, len(tried), questions, len(touched),
        old + likely, old + sample + most, gain, expected,
        regroup=grouped_by_key(schema, Refinement(), court.examples, {table for table, _ in screened.kept}),
    )  # fmt: skip
    return replace(found, pointless=_pointless(found, court.threshold.least_questions, settings.bounds.least_gain))


def _sets(court: Court, screened: Screened, whole: Sequence[str]) -> list[list[Place]]:
    """The places of each table that can be tried as a whole."""
    by_table: dict[str, list[Place]] = {table: [] for table in whole}
    for place in screened.kept:
        by_table.get(place[0], []).append(place)
    least = court.threshold.least_questions
    return [own for own in by_table.values() if len(own) > 1 and len(court.questions(*own)) >= least]


def _new_names(court: Court, screened: Screened, sets: Sequence[Sequence[Place]], names: int) -> tuple[int, int]:
    """(likely, at most) answers under new names that choosing takes.

    Likely the tables that are tried as a whole win all together at once. At most that takes all tries, and so does each
    of these tables; then they are tried with one less at a time, and each name alone.
    """
    each, least = len(court.trials.verifiers) * len(court.draws), court.threshold.least_questions
    in_sets = {place for own in sets for place in own}
    alone = dict.fromkeys((False, True), 0)
    for place in screened.kept:
        count = len(court.questions(place))
        alone[place in in_sets] += names * each * count if count >= least else 0
    every = each * len(court.questions(*in_sets)) if sets else 0
    together = (MOST_TRIES + len(sets) - 1) * every if len(sets) > 1 else 0
    tables = MOST_TRIES * sum(each * len(court.questions(*own)) for own in sets)
    return every + round(HALF * alone[False]), together + tables + alone[True] + alone[False]


def _pointless(found: Plan, least: int, least_gain: float) -> str:
    most = found.gain[2]
    if not found.questions:
        return "no gold query can be judged on this database"
    if not found.screened and not found.tables:
        return "every name is clear"
    if not found.tried:
        return f"no unclear name is read by {least} questions or more"
    if found.screened and most < least_gain:
        return (
            f"even if every unclear name that can be judged were replaced, {most:.2f} points are expected at most, "
            f"and {least_gain:g} are the least to begin for"
        )
    return ""
