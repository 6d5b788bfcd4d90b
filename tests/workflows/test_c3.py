"""C3: what is linked, what is sampled, who wins the vote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.databases import Database, Limits
from dragoman.errors import ModelUnavailable, SetupError
from dragoman.models import Choice, Reply, ScriptedModel
from dragoman.models.scripted import Scripted
from dragoman.questions import Question
from dragoman.solver import Answer, Draw
from dragoman.workflows.c3 import C3, UNIFIED_C3, c3
from dragoman.workflows.c3_linking import Recall
from dragoman.workflows.zero_shot import Asking
from tests.workflows.shops import ASKING, ENGINES, TODAY, fenced, france, scripted, sent, shop, told

TABLES = '["purchase", "customer"]'
COLUMNS = '{"purchase": ["amount", "customer_id"], "customer": ["name"]}'
SMALL = C3(Recall(samples=3), samples=3, retries=1)
WHO = Question("Who bought the most?")
RIGHT = (
    "SELECT c.name FROM customer c JOIN purchase p ON p.customer_id = c.id"
    " GROUP BY c.name ORDER BY SUM(p.amount) DESC, c.name LIMIT 1"
)
OTHER = "SELECT name FROM customer WHERE id = 1"
WRONG = "SELECT name FROM customer WHERE id = 3"
BROKEN = "SELECT nmae FROM customer"


@pytest.fixture(params=ENGINES)
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Database:
    return shop(tmp_path, request.param)


def asked(
    database: Database, replies: Sequence[Scripted], how: C3 = SMALL, asking: Asking = ASKING, draw: Draw = Draw(seed=5)
) -> tuple[Answer, ScriptedModel]:
    model, models = scripted(replies)
    return c3(database, models, asking, how)(WHO, draw), model


def test_the_original_makes_three_requests_of_ten_ten_and_twenty_samples(database: Database) -> None:
    answer, model = asked(database, [TABLES] * 10 + [COLUMNS] * 10 + [fenced(RIGHT)] * 20, C3())
    steps = [(step.role, step.data["replies"], step.usage.calls) for step in answer.steps if step.kind == "model"]
    assert steps == [("linker", 10, 10), ("linker", 10, 10), ("generator", 20, 20)]
    assert [request.settings.temperature for request in model.requests] == [0.7] * 20 + [1.0] * 20
    assert [request.settings.sample for request in model.requests[20:]] == list(range(20))
    assert [step.kind for step in answer.steps] == [
        "link", "model", "link", "model", "link", "model", "execute", "vote",
    ]  # fmt: skip
    assert answer.rows is not None
    assert answer.rows.rows == (("Ann",),)
    assert (answer.share, len(answer.candidates)) == (1.0, 20)


def test_the_unified_form_links_once_and_draws_three_samples(database: Database) -> None:
    asking = Asking(TODAY, match=france)
    answer, model = asked(database, [COLUMNS] + [fenced(RIGHT)] * 3, UNIFIED_C3, asking)
    assert answer.usage.calls == 4
    assert [request.settings.temperature for request in model.requests] == [0.0, 0.0, 0.7, 0.7]
    assert [request.settings.sample for request in model.requests] == [0, 0, 1, 2]
    text = sent(model)
    assert "CREATE TABLE customer" in text
    assert "CREATE TABLE product" not in text
    assert "e.g. 'Ann', 'Bo', 'Cy'" in text
    assert "note" not in text


def test_the_largest_class_wins_and_ties_go_to_the_first(database: Database) -> None:
    how = replace(UNIFIED_C3, samples=5)
    replies = [fenced(sql) for sql in (BROKEN, WRONG, OTHER, RIGHT, WRONG)]
    answer, _ = asked(database, [COLUMNS, *replies], how)
    assert answer.sql == WRONG
    assert [c.group for c in answer.candidates] == [None, 0, 1, 1, 0]
    assert answer.share == 0.4
    assert answer.candidates[0].error is not None
    assert [step.kind for step in answer.steps].count("execute") == 3
    assert answer.steps[-1].data == {"stage": "c3/vote", "candidates": 5, "classes": 2, "votes": 2, "read_again": 0}


def test_results_that_were_cut_for_display_are_compared_whole(database: Database) -> None:
    every, most = "SELECT name FROM customer ORDER BY id", "SELECT name FROM customer WHERE id < 3 ORDER BY id"
    replies = [COLUMNS, fenced(most), fenced(every), fenced("SELECT name FROM customer")]
    answer, _ = asked(database, replies, UNIFIED_C3, Asking(TODAY, Limits(rows=1)))
    assert [c.group for c in answer.candidates] == [0, 1, 1]
    assert answer.steps[-1].data["read_again"] == 3
    assert answer.rows is not None
    assert answer.rows.truncated


def test_an_empty_result_counts_as_any_other(database: Database) -> None:
    empty = "SELECT name FROM customer WHERE age > 99"
    answer, _ = asked(database, [COLUMNS, fenced(OTHER), fenced(empty), fenced(f"{empty} AND id > 0")], UNIFIED_C3)
    assert (answer.sql, answer.share) == (empty, 2 / 3)


def test_without_any_result_the_first_sample_is_the_answer(database: Database) -> None:
    answer, _ = asked(database, [COLUMNS, fenced(BROKEN), fenced("DROP TABLE customer"), ""], UNIFIED_C3)
    assert (answer.sql, answer.share) == (BROKEN, 0.0)
    assert answer.error is not None
    assert [c.error and c.error.code for c in answer.candidates] == ["unresolved", "unreadable", "no_sql"]
    assert database.execute("SELECT COUNT(*) FROM customer").rows == ((3,),)


def test_distinct_does_not_split_classes_in_the_original_alone(database: Database) -> None:
    plain, distinct, other = (
        "SELECT country FROM customer",
        "SELECT DISTINCT country FROM customer",
        "SELECT DISTINCT name FROM customer",
    )
    replies = [fenced(sql) for sql in (distinct, plain, other)]
    answer, _ = asked(database, [TABLES] * 3 + [COLUMNS] * 3 + replies)
    assert ([c.group for c in answer.candidates], answer.sql) == ([0, 0, 1], distinct)
    answer, _ = asked(database, [COLUMNS, *replies], UNIFIED_C3)
    assert [c.group for c in answer.candidates] == [0, 1, 2]


def test_tables_are_those_of_the_most_frequent_set(database: Database) -> None:
    tables = ['["product"]', 'I think [customer], so\n```json\n["customer", "shop.purchase", "ghost"]\n```', TABLES]
    answer, model = asked(database, [*tables, *[COLUMNS] * 3, *[fenced(RIGHT)] * 3])
    chosen = told(answer, "link")[1]
    assert chosen["read"] == 3
    assert [name.rpartition(".")[2] for name in chosen["chosen"]] == ["customer", "purchase"]
    text = sent(model, 3)
    assert "# customer (" in text
    assert "# product (" not in text


def test_columns_are_the_most_frequent_with_those_of_foreign_keys(database: Database) -> None:
    columns = ['{"customer": ["age", "name"]}', '{"customer": ["NAME"], "purchase": ["ghost"]}', "none of them"]
    _, model = asked(database, [*[TABLES] * 3, *columns, *[fenced(RIGHT)] * 3])
    text = sent(model)
    schema = [line.rpartition("main.")[2] for line in text.splitlines() if line.startswith("# ")]
    assert "# customer ( id, name, age )" in schema
    assert "# purchase ( id, customer_id, product_id, amount, note )" in schema
    assert "# purchase.customer_id = customer.id" in schema


@pytest.mark.parametrize("reply", ["", "I cannot tell.", '["ghost"]', "[[[", '{"a": 1}', "[" * 5000, '[{"customer": 1'])
def test_replies_that_link_nothing_keep_the_whole_schema(database: Database, reply: str) -> None:
    answer, model = asked(database, [reply] * 6 + [fenced(RIGHT)] * 3)
    assert all(f"# {table} (" in sent(model) for table in ("customer", "product", "purchase"))
    assert [link["read"] for link in told(answer, "link")[1:]] == [0, 0]
    assert answer.rows is not None
    unified, model = asked(database, [reply] + [fenced(RIGHT)] * 3, UNIFIED_C3)
    assert "CREATE TABLE product" in sent(model)
    assert unified.rows is not None


def test_all_are_drawn_anew_while_the_first_does_not_run(database: Database) -> None:
    links = [TABLES] * 3 + [COLUMNS] * 3
    answer, model = asked(database, [*links, fenced(BROKEN), *[fenced(OTHER)] * 2, *[fenced(RIGHT)] * 3])
    assert answer.sql == RIGHT
    assert [request.settings.sample for request in model.requests[6:]] == [0, 1, 2, 3, 4, 5]
    answer, _ = asked(database, [*links, *[fenced(BROKEN), fenced(OTHER), fenced(OTHER)] * 2])
    assert (answer.sql, answer.share) == (OTHER, 2 / 3)


def test_a_sentence_in_place_of_the_first_query_is_not_drawn_again(database: Database) -> None:
    links = [TABLES] * 3 + [COLUMNS] * 3
    answer, model = asked(database, [*links, "The shop keeps no reviews.", fenced(BROKEN), ""])
    assert answer.text == "The shop keeps no reviews."
    assert len(model.requests) == 9


def test_tips_are_an_earlier_conversation(database: Database) -> None:
    _, model = asked(database, [TABLES] * 3 + [COLUMNS] * 3 + [fenced(RIGHT)] * 3)
    roles = [message.role for message in model.requests[-1].messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert model.requests[-1].messages[-1].text.startswith("Question: Who bought the most?")
    _, model = asked(database, [COLUMNS] + [fenced(RIGHT)] * 3, UNIFIED_C3)
    assert [message.role for message in model.requests[-1].messages] == ["system", "user"]


def test_values_that_the_question_names_stand_at_their_column_and_no_others_leave(database: Database) -> None:
    replies: Sequence[Scripted] = [TABLES] * 3 + ['{"customer": ["country"]}'] * 3 + [fenced(RIGHT)] * 3
    _, model = asked(database, replies, asking=Asking(TODAY, match=france))
    assert "country ('France')" in sent(model)
    _, model = asked(database, replies)
    everything = "\n".join(sent(model, i) for i in range(9))
    assert not any(value in everything for value in ("'France'", "Ann", "Peru", "gift"))


def test_schema_and_evidence_are_fenced_and_the_date_is_told(database: Database) -> None:
    model, models = scripted([COLUMNS] + [fenced(RIGHT)] * 3)
    c3(database, models, ASKING, UNIFIED_C3)(Question("Who?", "adult means </data> age >= 18"), Draw())
    for number in range(4):
        text = sent(model, number)
        assert TODAY in text
        assert "adult means &lt;/data> age >= 18" in text
        assert f"speaks {database.dialect}" in text


def test_prose_is_an_answer_and_a_reply_cut_off_is_none(database: Database) -> None:
    answer, _ = asked(database, [COLUMNS, *["The shop keeps no reviews."] * 3], UNIFIED_C3)
    assert (answer.text, answer.sql, answer.error) == ("The shop keeps no reviews.", "", None)
    cut = Reply((Choice(f"{OTHER} AND nam", finish="length"),))
    answer, _ = asked(database, [COLUMNS, cut, fenced(RIGHT), cut], UNIFIED_C3)
    assert (answer.sql, answer.share) == (RIGHT, 1 / 3)


def test_a_lost_server_is_a_value_with_the_steps_so_far(database: Database) -> None:
    answer, _ = asked(database, [COLUMNS, ModelUnavailable("The server is gone.")], UNIFIED_C3)
    assert answer.error is not None
    assert answer.error.code == "model_unavailable"
    assert [step.role for step in answer.steps if step.kind == "model"] == ["linker"]


def test_draws_have_samples_and_temperatures_of_their_own(database: Database) -> None:
    _, model = asked(database, [COLUMNS] + [fenced(RIGHT)] * 3, UNIFIED_C3, draw=Draw(3, 0.9, 2))
    assert [(r.settings.sample, r.settings.temperature) for r in model.requests] == [
        (2000, 0.9), (2000, 0.9), (2001, 0.9), (2002, 0.9),
    ]  # fmt: skip


def test_consent_is_asked_before_a_candidate_runs(database: Database) -> None:
    seen: list[str] = []

    def no(sql: str) -> bool:
        seen.append(sql)
        return False

    replies = [COLUMNS, fenced(RIGHT), fenced(OTHER), fenced(RIGHT)]
    answer, _ = asked(database, replies, UNIFIED_C3, Asking(TODAY, consent=no))
    assert seen == [RIGHT, OTHER]
    assert (answer.sql, answer.rows, answer.error) == (RIGHT, None, None)


def test_a_model_that_writes_sql_only_is_refused_with_what_to_do(database: Database) -> None:
    class Form:
        budget = 1
        stop = ()

    _, models = scripted([])
    models.for_role("linker").sql_form = Form()  # type: ignore[assignment]
    with pytest.raises(SetupError, match="--method zero_shot"):
        c3(database, models, ASKING)
