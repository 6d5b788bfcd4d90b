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
    enough to judge a name by. Of `questions` questions that can be judged, `touched` choose among names.

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
    asked. A new name is likely asked what the old one fails, here half of its questions, and at most everything.
    """
    expected = expected or expected_gain()
    trials = Trials(base, ways.verifiers, VerdictStore(), settings.trial)
    whole, schema = convene(base, tuple(e for e in examples if e.sql), trials, settings), base.schema()
    held, own = checking(whole, settings)
    court = whole if own else replace(whole, held_out=frozenset(held))
    about = subjects(open_places(schema, settings.only, tables=settings.tables), base, schema, ways.domain)
    screened = screen(schema, about, ways.screen, ways.notes)
    columns = sum(1 for _, column in screened.kept if column)
    tried = [place for place in screened.kept if len(court.questions(place)) >= court.threshold.least_questions]
    questions = sum(1 for n in range(len(court.examples)) if n not in court.unjudged)
    touched = court.questions(*tried)
    gain = expected.gain(screened.columns, sum(1 for _, column in tried if column))
    each = len(trials.verifiers) * len(court.draws)
    checks = 2 * len(held) * (len(ways.verifiers) + len(ways.held_out)) * len(court.draws)
    asked = _asked(court, screened, whole_tables(schema, screened, settings.bundles), names)
    old = len(touched) * each + checks
    sample = min(settings.bounds.sample, questions) * each
    found = Plan(
        screened.columns, columns, len(screened.kept) - columns, len(tried), questions, len(touched),
        old + round(HALF * asked), old + sample + asked, gain, expected,
        regroup=grouped_by_key(schema, Refinement(), court.examples, {table for table, _ in screened.kept}),
    )  # fmt: skip
    return replace(found, pointless=_pointless(found, court.threshold.least_questions, settings.bounds.least_gain))


def _asked(court: Court, screened: Screened, whole: Sequence[str], names: int) -> int:
    """The most answers under new names that choosing takes.

    Each name alone; of the tables tried as a whole all together, then each table, with and without names that lose,
    and where none wins each of its names alone.
    """
    least, each = court.threshold.least_questions, len(court.trials.verifiers) * len(court.draws)
    by_table: dict[str, list[Place]] = {}
    for place in screened.kept:
        by_table.setdefault(place[0], []).append(place)
    sets = [by_table[table] for table in whole if len(by_table[table]) > 1]
    sets = [own for own in sets if len(court.questions(*own)) >= least]
    several = [place for own in sets for place in own]
    total = MOST_TRIES * each * len(court.questions(*several)) if len(sets) > 1 else 0
    for own in by_table.values():
        counts = [len(court.questions(place)) for place in own]
        alone = names * each * sum(count for count in counts if count >= least)
        total += alone + (MOST_TRIES * each * len(court.questions(*own)) if own in sets else 0)
    return total


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
