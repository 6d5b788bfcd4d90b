"""CHASE-SQL: values by keywords, three generators, the fixer, and the selector's points."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases import Database
from dragoman.ensemble import Pool, pool_of
from dragoman.ensemble.judge import Comparison, Judgement
from dragoman.errors import BudgetSpent, ModelUnavailable
from dragoman.linking.value_index import ValueHint
from dragoman.models import Budget, ModelsByRole, ScriptedModel
from dragoman.models.budgeted import BudgetedModel
from dragoman.models.request import Request
from dragoman.models.scripted import Scripted
from dragoman.questions import Question
from dragoman.solver import Answer, Draw, Failure, Step
from dragoman.workflows.chase import Chase, chase
from dragoman.workflows.chase_examples import Synthetic, plan_examples, read_examples, split_examples
from dragoman.workflows.chase_selector import by_points
from dragoman.workflows.chase_values import read_keywords
from dragoman.workflows.shuffled_schema import shuffled_schema
from dragoman.workflows.zero_shot import Asking
from tests.workflows.shops import ENGINES, TODAY, fenced, shop, told

WHO = Question("Who lives in Peru?")
RIGHT = "SELECT name FROM customer WHERE country = 'Peru'"
WRONG = "SELECT name FROM customer WHERE country = 'France'"
EMPTY = "SELECT name FROM customer WHERE country = 'peru'"
BROKEN = "SELECT nmae FROM customer"
MADE_UP = """Question: Who is old?
```sql
SELECT name FROM customer WHERE age > 40;
```
Question: What is broken?
```sql
SELECT ghost FROM customer
```
Question: How many products are there?
```sql
SELECT COUNT(*) FROM product
```"""
STAGES = {
    "You list": "keywords",
    "You find the words": "keywords",
    "You find": "link",
    "You write examples": "examples",
    "You mend": "fix",
    "You compare": "judge",
}
SMALL = Chase(candidates=2, workers=1)


def peru(text: str) -> list[ValueHint]:
    return [ValueHint("customer", "country", "Peru")] if "peru" in text.lower() else []


def stage_of(request: Request) -> str:
    """Which stage a request is of, as its instructions say."""
    system = request.messages[0].text
    if "by divide and conquer" in system:
        return "divide"
    if "by the plan" in system:
        return "plan"
    if "somebody made up for practice" in system:
        return "synthetic"
    return next(stage for mark, stage in STAGES.items() if system.startswith(mark))


class Thinker:
    """Answers each stage with what `says` holds for it, else sensibly; remembers the requests of each stage."""

    def __init__(self, **says: Scripted | Callable[[Request], Scripted]) -> None:
        self.says = {
            "keywords": '["Peru", "people"]',
            "link": '{"customer": ["name", "country"]}',
            "examples": MADE_UP,
            **dict.fromkeys(("divide", "plan", "synthetic", "fix"), fenced(RIGHT)),
            "judge": "Both run.\nBetter: A",
            **says,
        }
        self.seen: dict[str, list[Request]] = {}
        self.lock = threading.Lock()
        self.model = ScriptedModel(self._reply)

    def _reply(self, request: Request) -> Scripted:
        stage = stage_of(request)
        with self.lock:
            self.seen.setdefault(stage, []).append(request)
        said = self.says[stage]
        return said(request) if callable(said) else said

    def texts(self, stage: str) -> list[str]:
        return ["\n".join(message.text for message in request.messages) for request in self.seen[stage]]

    @property
    def counts(self) -> dict[str, int]:
        return {stage: len(requests) for stage, requests in self.seen.items()}


@pytest.fixture(params=ENGINES)
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Database:
    return shop(tmp_path, request.param)


def asked(database: Database, thinker: Thinker, how: Chase = SMALL, match: bool = True) -> Answer:
    asking = Asking(TODAY, match=peru if match else None)
    return chase(database, ModelsByRole(thinker.model), asking, how)(WHO, Draw(seed=5))


def test_the_paper_draws_seven_of_each_generator_and_agreement_needs_no_judge(database: Database) -> None:
    thinker = Thinker()
    answer = asked(database, thinker, Chase())
    assert thinker.counts == {"keywords": 1, "link": 1, "examples": 2, "divide": 7, "plan": 7, "synthetic": 7}
    assert answer.usage.calls == 25
    assert (answer.sql, answer.share, len(answer.candidates)) == (RIGHT, 1.0, 21)
    assert {request.settings.temperature for request in thinker.seen["plan"]} == {1.0}
    assert sorted(request.settings.sample for request in thinker.seen["plan"]) == list(range(7))
    assert Counter(candidate.source.split()[0] for candidate in answer.candidates) == dict.fromkeys(
        ("divide", "plan", "synthetic"), 7
    )
    assert told(answer, "tournament")[0]["points"] == {"0": 20.0}


def test_schemas_are_shuffled_for_all_but_the_first_of_each_generator(database: Database) -> None:
    thinker = Thinker()
    asked(database, thinker, Chase(candidates=4, workers=1))
    orders = [
        [line for line in text.splitlines() if "CREATE TABLE" in line or "NULL" in line]
        for text in thinker.texts("plan")
    ]
    schemas = [text.rpartition("The schema")[2] for text in thinker.texts("plan")]
    assert len(set(schemas)) == 4
    assert len({tuple(sorted(order)) for order in orders}) == 1
    assert [text.rpartition("The schema")[2] for text in thinker.texts("divide")] == schemas


def test_every_step_tells_its_role(database: Database) -> None:
    thinker = Thinker(divide=fenced(BROKEN), plan=fenced(WRONG))
    answer = asked(database, thinker)
    roles = Counter(step.role for step in answer.steps if step.role)
    assert roles == {"linker": 2, "generator": 8, "corrector": 2, "judge": 2}
    assert answer.usage.calls == 14
    assert len(answer.candidates) == 6


def test_generators_show_their_examples_and_the_made_up_ones_that_hold(database: Database) -> None:
    thinker = Thinker()
    answer = asked(database, thinker)
    assert "Divide: That something does not occur" in thinker.texts("divide")[0]
    assert "1. Scan member and keep the rows whose town is Aldorp." in thinker.texts("plan")[0]
    shown = thinker.texts("synthetic")[0]
    assert "SELECT name FROM customer WHERE age > 40" in shown
    assert "How many products are there?" in shown
    assert "ghost" not in shown
    assert told(answer, "examples") == [{"asked": 8, "kept": 2}] * 2
    features, filtered = thinker.texts("examples")
    assert "CREATE TABLE product" in features
    assert "CREATE TABLE product" not in filtered
    assert WHO.text not in features
    assert WHO.text in filtered


def test_without_examples_that_hold_the_generator_goes_on(database: Database) -> None:
    answer = asked(database, Thinker(examples="I know none."))
    assert answer.sql == RIGHT
    thinker = Thinker()
    asked(database, thinker, replace(SMALL, generators=("divide",)))
    assert set(thinker.seen) == {"keywords", "divide"}
    thinker = Thinker()
    asked(database, thinker, replace(SMALL, synthetic=Synthetic(features=0, filtered=3)))
    assert len(thinker.seen["examples"]) == 1


def test_keywords_find_values_which_every_generator_sees(database: Database) -> None:
    thinker = Thinker(keywords='["PERUVIAN"]')
    answer = asked(database, thinker)
    assert all("customer.country = 'Peru'" in text for text in thinker.texts("plan"))
    assert told(answer, "link")[1] == {"keywords": ["PERUVIAN"], "values": [["customer", "country", "Peru"]]}
    for broken in ("", "[", '{"a": 1}'):
        assert asked(database, Thinker(keywords=broken)).sql == RIGHT


def test_without_an_index_or_leave_no_keyword_is_asked_for(database: Database) -> None:
    thinker = Thinker()
    asked(database, thinker, match=False)
    assert "keywords" not in thinker.seen
    thinker = Thinker(plan=fenced(WRONG))
    thinker.model.local = False
    asking = Asking(TODAY, match=peru, values=False)
    chase(database, ModelsByRole(thinker.model), asking, SMALL)(WHO, Draw())
    assert "keywords" not in thinker.seen
    everything = "\n".join(text for stage in thinker.seen for text in thinker.texts(stage))
    assert not any(value in everything for value in ("'Ann'", "'Bo'", "Bo |", "gift", "e.g. '"))


def test_the_fixer_is_asked_three_times_at_most(database: Database) -> None:
    sqls = iter([EMPTY, f"{EMPTY} AND 1 = 1", f"{EMPTY} AND 2 = 2", f"{EMPTY} AND 3 = 3"])
    thinker = Thinker(divide=fenced(BROKEN), fix=lambda request: fenced(next(sqls)))
    answer = asked(database, thinker, Chase(("divide",), candidates=1, workers=1))
    assert thinker.counts == {"keywords": 1, "divide": 1, "fix": 3}
    assert "nmae" in thinker.texts("fix")[0]
    assert "gave no rows" in thinker.texts("fix")[1]
    assert answer.rows is not None
    assert answer.rows.rows == ()


def test_the_judge_decides_between_classes(database: Database) -> None:
    def prefer(sql: str) -> Callable[[Request], str]:
        def judge(request: Request) -> str:
            text = request.messages[-1].text
            first = text.index(sql) < text.index("Query B:")
            return "Better: A" if first else "Better: B"

        return judge

    for wanted in (RIGHT, WRONG):
        thinker = Thinker(plan=fenced(WRONG), synthetic=fenced(WRONG), judge=prefer(wanted))
        answer = asked(database, thinker)
        assert len(thinker.seen["judge"]) == 2
        points = told(answer, "tournament")[0]["points"]
        assert points == {"0": 1 + 2 * 4 * (wanted == RIGHT), "2": 3 + 2 * 2 * (wanted == WRONG)}
        assert answer.sql == wanted


def test_a_lost_server_fails_a_candidate_and_a_spent_budget_ends_all(database: Database) -> None:
    answer = asked(database, Thinker(divide=ModelUnavailable("gone")))
    assert answer.sql == RIGHT
    assert [c.error.code for c in answer.candidates if c.error] == ["model_unavailable"] * 2
    answer = asked(database, Thinker(divide="No.", plan="", synthetic="None of it is there."))
    assert (answer.text, answer.sql) == ("No.", "")
    models = ModelsByRole(BudgetedModel(Thinker().model, Budget(calls=6)))
    with pytest.raises(BudgetSpent):
        chase(database, models, Asking(TODAY), SMALL)(WHO, Draw())


def test_any_number_of_workers_gives_the_same_answer(database: Database) -> None:
    def plan(request: Request) -> str:
        return fenced(WRONG if request.settings.sample % 2 else RIGHT)

    def steps(workers: int) -> list[tuple[object, ...]]:
        answer = asked(database, Thinker(plan=plan), Chase(candidates=4, workers=workers))
        return [(step.kind, step.role, step.text, str(step.data)) for step in answer.steps]

    assert steps(1) == steps(8)


SIZES = st.lists(st.integers(0, 3), min_size=1, max_size=7)


def pool(groups: list[int]) -> Pool:
    """Answers of these classes; class 3 has failed."""
    answers = [Answer(f"SELECT {g}", error=Failure("query", "no") if g == 3 else None) for g in groups]
    numbers = {g: i for i, g in enumerate(dict.fromkeys(g for g in groups if g != 3))}
    return Pool(WHO, Draw(), tuple(answers), tuple(numbers.get(g) for g in groups), ("",) * len(groups), "sqlite")


@given(SIZES, st.lists(st.sampled_from(["first", "second", "undecided"]), min_size=16, max_size=16))
def test_points_are_those_of_every_ordered_pair_of_candidates(groups: list[int], verdicts: list[str]) -> None:
    def judge(compared: Comparison) -> Judgement:
        a, b = (int(answer.sql.removeprefix("SELECT ")) for answer in (compared.first, compared.second))
        return Judgement(verdicts[4 * a + b], Step("judge"))  # type: ignore[arg-type]

    points = [0.0] * len(groups)
    for i, a in enumerate(groups):
        for j, b in enumerate(groups):
            if i == j or 3 in (a, b):
                continue
            verdict = "first" if a == b else verdicts[4 * a + b]
            points[i] += {"first": 1.0, "second": 0.0, "undecided": 0.5}[verdict]
            points[j] += {"first": 0.0, "second": 1.0, "undecided": 0.5}[verdict]
    choice = by_points(judge)(pool(groups))
    ran = [i for i, g in enumerate(groups) if g != 3]
    assert choice.place == (min(ran, key=lambda i: (-points[i], i)) if ran else 0)


def test_a_pool_without_results_gives_its_first(database: Database) -> None:
    def never(compared: Comparison) -> Judgement:
        raise AssertionError

    answers = [Answer("", text="no"), Answer(BROKEN, error=Failure("query", "x"))]
    assert by_points(never)(pool_of(WHO, Draw(), answers, database)).place == 0


def test_a_shuffled_schema_is_the_same_schema_in_another_order(database: Database) -> None:
    schema = database.schema()
    shuffled = shuffled_schema(schema, 1, 2)
    assert shuffled == shuffled_schema(schema, 1, 2)
    assert {table.name: set(table.columns) for table in shuffled} == {t.name: set(t.columns) for t in schema}
    assert any(shuffled_schema(schema, 1, n).tables[0].name != schema.tables[0].name for n in range(6))


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ('["a", " b  c", "a", 3, ""]', ("a", "b c")),
        ('So:\n```json\n["x"]\n```', ("x",)),
        ("a, b", ()),
        ('{"keywords": 1}', ()),
    ],
)
def test_keywords_are_a_json_list(text: str, keywords: tuple[str, ...]) -> None:
    assert read_keywords(text) == keywords


def test_examples_of_a_reply_that_was_cut_off_are_those_that_are_whole(database: Database) -> None:
    found = list(read_examples(MADE_UP[: MADE_UP.rindex("COUNT")], database.schema()))
    assert found == [("Who is old?", "SELECT name FROM customer WHERE age > 40")]


@pytest.mark.parametrize("dialect", ["sqlite", "tsql", "snowflake", "bigquery"])
def test_worked_examples_are_shown_in_the_dialect(dialect: str) -> None:
    assert "Assemble and simplify:" in split_examples(dialect)
    assert "1. Scan" in plan_examples(dialect)
    assert ("TOP 1" in plan_examples(dialect)) is (dialect == "tsql")
