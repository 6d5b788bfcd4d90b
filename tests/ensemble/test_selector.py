"""The choice of a selector."""

from __future__ import annotations

import pytest

from dragoman.databases import Database
from dragoman.ensemble import Voting, ensemble, samples
from dragoman.ensemble.selector import Selector, learned
from dragoman.solver import Draw
from dragoman.statistics.boosting import Boosted, Split
from tests.ensemble.pools import ASKED, pool_of_classes, saying

LIKES_FILTERS = Selector(("filters",), Boosted(0.0, (Split(0, 0.5, -1.0, 1.0),)))
LIKES_NOTHING = Selector(("filters",), Boosted(0.0, (0.0,)))
ALL, FEW = "SELECT COUNT(*) FROM orders", "SELECT COUNT(*) FROM orders WHERE amount > 600"


@pytest.mark.parametrize(("selector", "chosen"), [(LIKES_FILTERS, FEW), (LIKES_NOTHING, ALL)])
def test_the_likeliest_class_is_kept_and_of_equal_ones_the_larger(
    shop: Database, selector: Selector, chosen: str
) -> None:
    gather = samples(saying(shop, [FEW, ALL, ALL, "SELECT nope"]), Voting(4))
    answer = ensemble(gather, shop, learned(selector))(ASKED, Draw())
    assert answer.sql == chosen
    told = answer.steps[-1]
    assert (told.kind, told.data["classes"], told.usage.calls) == ("learned", 2, 0)
    assert set(told.data["chances"]) == {"0", "1"}


def test_without_a_result_the_choice_is_the_votes() -> None:
    choice = learned(LIKES_FILTERS)(pool_of_classes(None, None))
    assert (choice.place, choice.steps[-1].data["chances"]) == (0, {})
