"""Comparing two runs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.bench.compare import compare
from dragoman.bench.ledger import replace_ledger
from dragoman.bench.line import Line, line_record
from dragoman.bench.pairs import difference, flips, head_to_head, pair_lines
from dragoman.bench.run import RESULTS, RunSettings, run
from dragoman.errors import SetupError
from dragoman.report import html_page
from tests.bench.lines import GOLD, line, pool
from tests.bench.shop import scripted, shop, solver_for
from tests.bench.test_report import table

MakeRun = Callable[[str, list[Line]], Path]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Writes the folder of a run with the lines given."""

    def make(name: str, lines: list[Line]) -> Path:
        out = tmp_path / name
        out.mkdir()
        record = '{"dataset": {"name": "d", "split": "s", "digest": ""}, "asked": {}, "made_with": []}'
        (out / "run.json").write_text(record)
        replace_ledger(out / RESULTS, map(line_record, lines))
        return out

    return make


def published() -> tuple[list[Line], list[Line]]:
    """547 examples in three databases: 24 right in A alone, 47 in B alone, 308 in both, 168 in neither."""
    verdicts = [("correct", "wrong")] * 24 + [("wrong", "correct")] * 47 + [("correct", "correct")] * 308
    verdicts += [("wrong", "wrong")] * 168
    places = [f"db{i % 3}" for i in range(547)]
    a = [line(str(i), first, database=places[i]) for i, (first, _) in enumerate(verdicts)]
    b = [line(str(i), second, database=places[i]) for i, (_, second) in enumerate(verdicts)]
    return a, b


def test_published_head_to_head(make_run: MakeRun) -> None:
    """DivSkill-SQL against CHASE on Spider2-Lite: 355 and 332 of 547, 47 to 24, p = 0.0086 (Tables 10 and 11)."""
    a, b = published()
    found = head_to_head(pair_lines(a, b), "selected")
    assert (found.only_a, found.only_b, found.total) == (24, 47, 547)
    report = compare(make_run("chase", a), make_run("divskill", b))
    assert "p = 0.0086" in report.summary
    assert "4.2 points above" in report.summary
    assert table(report, "Head to head, same examples").rows[0] == ("right answer", 547, 308, 24, 47, 168, found.p)


def test_only_the_same_scored_examples_count() -> None:
    a = [line("1"), line("2", "wrong"), line("3"), line("4", "unscored")]
    b = [line("2"), line("3", "unscored"), line("4"), line("1", "wrong"), line("5")]
    pairs = pair_lines(a, b)
    assert [(x.id, y.id) for x, y in pairs] == [("1", "1"), ("2", "2")]
    gained, lost = flips(pairs)
    assert ([x.id for x, _ in gained], [x.id for x, _ in lost]) == (["2"], ["1"])
    assert difference(a, b).estimate == 0


def test_difference_takes_the_mean_over_repeats() -> None:
    a = [line("1"), line("1", "wrong", repeat=1), line("2", "wrong", database="other")]
    b = [line("1"), line("2", "wrong", database="other")]
    assert difference(a, b).estimate == 0.25


def test_samples_needed_recovery_touching_and_losses(make_run: MakeRun) -> None:
    clean = [line(str(i)) for i in range(8)] + [line(str(i), "wrong") for i in (8, 9)]
    degraded, refined = [], []
    for i in range(10):
        before, after = ("correct" if i < 4 else "wrong"), ("correct" if i < 7 and i else "wrong")
        degraded.append(line(str(i), before, slots=pool(1 if i < 6 else 0), touches=i < 5))
        lost = "SELECT name FROM singer" if before == "correct" and after == "wrong" else GOLD
        refined.append(line(str(i), after, sql=lost, slots=pool(5 if i < 5 else 0), touches=i < 5))
    runs = [make_run(name, lines) for name, lines in (("c", clean), ("d", degraded), ("r", refined))]
    report = compare(runs[1], runs[2], runs[0])
    assert [row[0] for row in table(report, "Accuracy by schema").rows] == [
        "Clean",
        "Degraded (d)",
        "Mended (r)",
        "Recovery rate",
    ]
    assert [row[1] for row in table(report, "Accuracy by schema").rows] == pytest.approx([0.8, 0.4, 0.6, 0.5])
    assert table(report, "What the wrong ones lost").rows == (("lost filter", 1),)
    assert [row[:2] for row in table(report, "By what the gold touches").rows] == [
        ("touches a renamed name", 5),
        ("touches none", 5),
    ]
    text = html_page(report)
    assert "Candidates that d needs to equal Pass@8 of r (50.0%): 7." in text
    assert "Candidates that r needs to equal Pass@8 of d (60.0%): more than 8." in text
    assert "3 answers turned right and 1 turned wrong." in text


def test_two_real_runs(tmp_path: Path) -> None:
    dataset = shop(tmp_path)
    for name, seed in (("one", 0), ("two", 1)):
        run(solver_for(scripted(tmp_path / name)), dataset, tmp_path / name, RunSettings(seed=seed, repeat=2))
    report = compare(tmp_path / "one", tmp_path / "two")
    assert report.title == "two against one"
    assert table(report, "On the first repeat").rows[0][1] == 60
    assert [row[:2] for row in table(report, "Over repeats").rows] == [("one", 2), ("two", 2)]
    assert html_page(compare(tmp_path / "one", tmp_path / "two")) == html_page(report)


def test_nothing_in_common(make_run: MakeRun) -> None:
    with pytest.raises(SetupError, match="no scored example in common"):
        compare(make_run("a", [line("1")]), make_run("b", [line("2")]))
