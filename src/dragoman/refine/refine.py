"""The whole of it: from a database and a workload to clearer names (EGRefine, algorithm 1, with what it lacks)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dragoman.databases.guarded_database import GuardedDatabase
from dragoman.errors import SetupError
from dragoman.questions import Example
from dragoman.refine.answers_taken import exhaustive, raced
from dragoman.refine.applicability import Applicability, Bounds, applicability
from dragoman.refine.bundles import Bundle, When, bundles, whole_tables
from dragoman.refine.contest import Court
from dragoman.refine.flips import Flips, flips
from dragoman.refine.given_out import given_out
from dragoman.refine.gold_check import GoldCheck, check_gold
from dragoman.refine.joint_check import JointCheck, joint_check
from dragoman.refine.propagate import Keys
from dragoman.refine.propose import Proposal, Proposer
from dragoman.refine.query_index import query_index
from dragoman.refine.refinement import Place, Refinement
from dragoman.refine.resolve_conflicts import Resolved
from dragoman.refine.screen import Judge, Screened, open_places, screen
from dragoman.refine.subject import Subject, subjects
from dragoman.refine.threshold import Threshold
from dragoman.refine.trials import Spent, Trials, TrialSettings, Verifier
from dragoman.refine.verdict_store import VerdictStore
from dragoman.refine.verify import Verification, verify
from dragoman.solver import Draw

FEWEST_HELD_OUT = 5
"""With fewer held-out questions the joint check asks all questions, and says so."""
WITH_TABLE = "it was decided with its whole table"


@dataclass(frozen=True, slots=True)
class Ways:
    """Who screens, proposes and verifies. `domain` is the sentence on what the database is about.

    `held_out` verifiers choose no name; they only measure what was chosen. `notes` say what screening does not look at.
    """

    screen: Judge
    propose: Proposer
    verifiers: Sequence[Verifier]
    held_out: Sequence[Verifier] = ()
    domain: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefineSettings:
    """What a refinement must gain, which questions choose and which check it, and what is looked at.

    `held_out` is the share of the questions that choose no name and check all of them together in the end, drawn by
    `seed` and the question's id. `only` narrows screening to some tables; `tables` refines their names as well.
    `bundles` says which tables are tried as a whole first, which the paper does not do.
    """

    threshold: Threshold = Threshold()
    bounds: Bounds = Bounds()
    trial: TrialSettings = TrialSettings()
    draws: tuple[Draw, ...] = (Draw(),)
    held_out: float = 0.25
    seed: int = 0
    only: tuple[str, ...] = ()
    tables: bool = True
    bundles: When = "never"

    def __post_init__(self) -> None:
        """Raises `SetupError`."""
        if not 0 <= self.held_out < 1:
            raise SetupError("--held-out is a share from 0 to below 1. Change it.")


@dataclass(frozen=True, slots=True)
class RefinementRun:
    """What a run found, stage by stage. `refinement` is empty where nothing was worth renaming.

    `declined` says why no name was tried, "" if names were. `verifications` holds every place that was screened in.
    `own_questions` is true where there were too few questions to hold any out, so that the joint check asked those that
    chose the names. `outside` are the flips of each held-out verifier on the questions of the joint check. Choosing
    took `raced` answers, those under the old names included, of `exhaustive` that asking everything would have taken.
    """

    refinement: Refinement
    declined: str = ""
    applicability: Applicability | None = None
    screened: Screened | None = None
    proposals: tuple[Proposal, ...] = ()
    verifications: tuple[Verification, ...] = ()
    bundles: tuple[Bundle, ...] = ()
    resolved: Resolved | None = None
    joint: JointCheck | None = None
    own_questions: bool = False
    outside: Mapping[str, Flips] = field(default_factory=dict)
    gold: GoldCheck | None = None
    unjudged: Mapping[str, str] = field(default_factory=dict)
    spent: Spent = field(default_factory=Spent)
    raced: int = 0
    exhaustive: int = 0


Tell = Callable[[str, int, int], None]
"""(stage, how much of it is done, how much there is)."""


def refine(
    base: GuardedDatabase,
    examples: Iterable[Example],
    ways: Ways,
    settings: RefineSettings = RefineSettings(),
    store: VerdictStore | None = None,
    tell: Tell = lambda stage, done, of: None,
) -> RefinementRun:
    """Find names under which `ways.verifiers` answer more of the questions right (EGRefine, with what it lacks).

    `store` keeps what was answered, so that a run that was killed asks nothing again; with the same store and the same
    proposals the result is the same bytes, whatever the number of workers. Nothing is written to the database. Raises
    `SetupError` and `BudgetSpent`.
    """
    known = VerdictStore() if store is None else store
    asked = tuple(example for example in examples if example.sql)
    trials = Trials(base, ways.verifiers, known, settings.trial, lambda verdict: tell("answer", len(known), 0))
    try:
        court = convene(base, asked, trials, settings, tell)
        return _refine(court, base, ways, settings, tell)
    finally:
        trials.close()


def _refine(court: Court, base: GuardedDatabase, ways: Ways, settings: RefineSettings, tell: Tell) -> RefinementRun:
    schema, trials = base.schema(), court.trials
    places = open_places(schema, settings.only, tables=settings.tables)
    unjudged = {court.examples[n].question.id: why for n, why in court.unjudged.items()}
    tell("baseline", 0, 1)
    fit = applicability(court, schema, settings.bounds)
    begun = RefinementRun(Refinement(), fit.reason, fit, unjudged=unjudged, spent=trials.spent)
    if not fit.applies:
        return begun
    held, own = checking(court, settings)
    chosen_by = court if own else replace(court, held_out=frozenset(held))
    tell("screen", 0, 1)
    about = subjects(places, base, schema, ways.domain)
    screened = screen(schema, about, ways.screen, ways.notes)
    whole = whole_tables(schema, screened, settings.bundles)
    proposals = _proposals(chosen_by, ways, screened, about, whole, tell)
    tell("bundles", 0, 1)
    together = bundles(chosen_by, schema, screened, proposals, settings.bundles)
    verifications = _verified(chosen_by, proposals, screened, together, tell)
    choices, resolved = given_out(chosen_by, schema, proposals, verifications, together)
    tell("joint check", 0, 1)
    joint = joint_check(court, schema, choices, held)
    refinement = joint.resolved.refinement
    tell("gold queries", 0, 1)
    return replace(
        begun,
        refinement=refinement,
        screened=screened,
        proposals=proposals,
        verifications=tuple(verifications.values()),
        bundles=together,
        resolved=resolved,
        joint=joint,
        own_questions=own,
        outside=_outside(court, ways, held, refinement, settings),
        gold=check_gold(base, refinement, court.examples, settings.trial.how) if refinement.names else None,
        raced=raced(chosen_by, verifications.values(), together),
        exhaustive=exhaustive(verifications.values(), proposals, together),
    )


def convene(
    base: GuardedDatabase,
    examples: Sequence[Example],
    trials: Trials,
    settings: RefineSettings,
    tell: Tell = lambda stage, done, of: None,
) -> Court:
    """The questions with what they read, and those that cannot be judged."""
    schema = base.schema()
    keys = Keys(schema)

    def names(place: Place, name: str) -> Refinement:
        if not place[1]:
            return Refinement({}, {place[0]: name})
        return keys.propagate(place, Refinement({place: name}))

    unjudged = {}
    for number, example in enumerate(examples):
        tell("gold", number, len(examples))
        if why := trials.unjudged(example):
            unjudged[number] = why
    index = query_index(examples, schema)
    return Court(
        trials, examples, index, unjudged, names, settings.threshold, settings.draws, at_once=settings.trial.at_once
    )


def checking(court: Court, settings: RefineSettings) -> tuple[list[int], bool]:
    """(the questions of the joint check, whether they are those that choose as well)."""
    judged = [n for n in range(len(court.examples)) if n not in court.unjudged]

    def part(number: int) -> float:
        question = court.examples[number].question
        digest = hashlib.sha256(f"{settings.seed}\0{question.id}\0{question.text}".encode()).digest()
        return int.from_bytes(digest[:6], "big") / 2**48

    held = [number for number in judged if part(number) < settings.held_out]
    return (held, False) if len(held) >= FEWEST_HELD_OUT else (judged, True)


def _proposals(
    court: Court, ways: Ways, screened: Screened, about: Sequence[Subject], whole: Sequence[str], tell: Tell
) -> tuple[Proposal, ...]:
    """Proposals for the places that were screened in and that some question reads, and for all those of tables that can
    be tried as a whole; for others no name could be kept.
    """
    kept, least = set(screened.kept), court.threshold.least_questions
    read = {t for t in whole if len(court.questions(*(place for place in kept if place[0] == t))) >= least}
    wanted = [
        subject
        for subject in about
        if subject.place in kept and (subject.place[0] in read or court.index.of(subject.place))
    ]
    tell("propose", 0, len(wanted))
    return tuple(ways.propose(wanted)) if wanted else ()


def _verified(
    court: Court, proposals: Sequence[Proposal], screened: Screened, together: Sequence[Bundle], tell: Tell
) -> dict[Place, Verification]:
    """The decision on every place that was screened in; nothing is asked of those that went with their table."""
    names = {proposal.place: [item.name for item in proposal.names] for proposal in proposals}
    done = {place for bundle in together for place in bundle.settled}
    own = {place: scored for bundle in together for place, scored in bundle.own.items()}
    found: dict[Place, Verification] = {}
    for number, place in enumerate(screened.kept):
        tell("verify", number, len(screened.kept))
        if place in done:
            original, scored = own.get(place, (None, None))
            about = Verification(place, "", WITH_TABLE, len(court.questions(place)), original=original)
            found[place] = replace(about, names=(scored,)) if scored else about
        else:
            found[place] = verify(court, place, names.get(place, ()))
    return found


def _outside(
    court: Court, ways: Ways, held: Sequence[int], refinement: Refinement, settings: RefineSettings
) -> dict[str, Flips]:
    """What the refinement does to verifiers that did not choose it."""
    found: dict[str, Flips] = {}
    if not refinement.names:
        return found
    judged = [n for n in held if n not in court.unjudged]
    for verifier in ways.held_out:
        trials = Trials(court.trials.base, [verifier], court.trials.store, settings.trial)
        trials.spent = court.trials.spent
        apart = replace(court, trials=trials)
        try:
            found[verifier.name] = flips(apart, apart.cells(judged), refinement)
        finally:
            trials.close()
    return found
