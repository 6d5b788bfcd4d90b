"""The report on a run."""

from pathlib import Path

import pytest

from dragoman.bench.ledger import replace_ledger
from dragoman.bench.line import line_record
from dragoman.bench.report import report
from dragoman.bench.run import RESULTS, RunSettings, run
from dragoman.errors import SetupError
from dragoman.report import Report, Table, html_page, markdown
from tests.bench.lines import line, pool
from tests.bench.shop import scripted, shop, solver_for


def table(found: Report, title: str) -> Table:
    return next(
        part for section in found.sections for part in section.parts if isinstance(part, Table) and part.title == title
    )


@pytest.fixture
def out(tmp_path: Path) -> Path:
    model = scripted(tmp_path)
    run(solver_for(model), shop(tmp_path), tmp_path / "run", RunSettings(repeat=2), {"method": "two calls"})
    return tmp_path / "run"


def test_counts_of_a_run(out: Path) -> None:
    """Of 60 examples in two repeats, one in five names a table that is not there, and one in five is changed."""
    found = report(out)
    assert found.title == "shop test: two calls"
    verdicts = {row[0]: row[1] for row in table(found, "Verdicts").rows}
    assert sum(int(str(n)) for n in verdicts.values()) == 120
    assert verdicts["invalid reference"] == 24
    difficulties = table(found, "By difficulty").rows
    assert [row[0] for row in difficulties] == ["easy", "medium", "hard"]
    assert sum(int(str(row[1])) for row in difficulties) == 120
    assert {row[0] for row in table(found, "By database").rows} == {"shop_0", "shop_1", "shop_2"}
    calls = {row[0]: row[1] for row in table(found, "Calls, tokens and money by role").rows}
    assert calls == {"generator": 120, "linker": 120, "all": 240}
    text = markdown(found)
    assert "Standard deviation over repeats" in text
    assert "95 % interval, databases resampled" in text


def test_the_report_needs_the_files_alone_and_is_the_same_every_time(out: Path, tmp_path: Path) -> None:
    first = html_page(report(out))
    for path in (tmp_path / "replies.sqlite", *(tmp_path / f"shop_{n}" / f"shop_{n}.sqlite" for n in range(3))):
        path.unlink()
    assert html_page(report(out)) == first


def test_candidates_renaming_and_confidence_are_reported_where_they_are(out: Path) -> None:
    lines = [
        line("a", slots=pool(6, 8, 1), share=0.75, confidence=0.9, touches=True, uses=True),
        line("b", "wrong", slots=pool(1), share=0.5, confidence=0.4, touches=True, uses=False, sql="SELECT DISTINCT 1"),
        line("c", "wrong", slots=pool(0), share=0.25, confidence=0.2, touches=False),
    ]
    record = (out / "run.json").read_text()
    renamed = '"renamed": {"concerts": {"singer.age": "sngr_ag"}}, "columns": {"concerts": 10}'
    (out / "run.json").write_text(record.replace('"renamed": {},\n    "columns": {}', renamed))
    replace_ledger(out / RESULTS, map(line_record, lines))
    found = report(out)
    pools = {row[0]: row[1] for row in table(found, "3 pools of up to 8 candidates").rows}
    assert pools["Pass@8 (some candidate is right)"] == 2 / 3
    assert table(found, "Names that are not there").rows[0] == ("Invalid reference", 1, 1, 1)
    assert table(found, "Mismatch with the gold query").rows[0] == ("DISTINCT", 1, 0)
    assert table(found, "By what the gold touches").rows[0][:4] == ("touches a renamed name", 2, 1, 0.5)
    assert table(found, "Coverage").rows[-1] == ("all", 1, 10, 0.1)
    assert "1 of 2 answers that can be read use a renamed name (50.0%)." in str(found)
    assert table(found, "By confidence").rows[1][1] == pytest.approx((0.1 + 0.4 + 0.2) / 3)


def test_a_folder_without_a_run(tmp_path: Path, out: Path) -> None:
    with pytest.raises(SetupError, match="holds no run"):
        report(tmp_path)
    (out / RESULTS).unlink()
    with pytest.raises(SetupError, match="no results yet"):
        report(out)
