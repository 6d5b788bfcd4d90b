"""Seeds, base x 3, one skill optimised and the learned pool on twelve held-out questions, answered by hand:

    python experiments/learn_arms.py --out FOLDER [--base-url URL]

Without a server the recorded replies alone are used. Each arm is a run of `bench`, to be compared with `dragoman bench
compare`. Three agents, a vote among their results; temperature 0, so that agents of the same text are one.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from experiments.learn_by_hand import HELD_OUT, LIMITS, POOL, RECORDED, TODAY, by_hand, questions
from experiments.recorded_by_hand import RecordedByHand

from dragoman.agent.skills import Skill, find_skill, read_skill
from dragoman.bench.accuracy import accuracy
from dragoman.bench.run import RunSettings, run
from dragoman.compose import cache_folder
from dragoman.databases import Database
from dragoman.demo import locate
from dragoman.models import Model, ModelsByRole, open_model
from dragoman.solver import Draw, Solver
from dragoman.workflows import choosing
from dragoman.workflows.agentic import Equipment
from dragoman.workflows.divskill import DivSkill, divskill
from dragoman.workflows.zero_shot import Asking

ASKED = 48
"""Runs that wait for their replies at the same time."""


def arms() -> Mapping[str, tuple[Skill, ...]]:
    """The three skills of each arm."""
    seeds = tuple(find_skill(name) for name in POOL)
    learned = tuple(read_skill(RECORDED / "golden" / "pool" / f"{name}.md") for name in POOL)
    return {"base": (seeds[0],) * 3, "seeds": seeds, "single": (learned[0],) * 3, "learned": learned}


def measure(hand: Model, warehouse: Path, out: Path, arm: Sequence[Skill]) -> str:
    """Run an arm, and say how many answers are right."""
    how = DivSkill(tuple(arm), temperature=0.0, workers=1, select=choosing("vote", None, 1))
    asking = Asking(TODAY, match=lambda text: ())
    method = divskill(how, Equipment(limits=LIMITS))

    def solver_for(database: Database) -> Solver:
        return method(database, ModelsByRole(hand), asking)

    asked = {"skills": [skill.id for skill in arm], "model": hand.name}
    found = accuracy(run(solver_for, questions(warehouse, HELD_OUT), out, RunSettings(workers=1), asked).lines)
    return f"{found.right} of {found.scored}"


def ask_all(hand: Model, warehouse: Path) -> None:
    """Ask every skill every question at the same time, so that they can be answered together."""
    dataset = questions(warehouse, HELD_OUT)
    skills = {skill.id: skill for arm in arms().values() for skill in arm}
    database = dataset.open("warehouse")
    solvers = [by_hand(hand)(skill)(database) for skill in skills.values()]
    with ThreadPoolExecutor(ASKED) as pool:
        running = [pool.submit(solver, e.question, Draw()) for e in dataset.examples for solver in solvers]
        for future in running:
            future.result()
    database.close()


def main() -> None:
    """Measure all arms. Started again, it goes on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    server = open_model("openai:hand", base_url=given.base_url) if given.base_url else None
    hand = RecordedByHand(RECORDED / "held_out.jsonl", server)
    warehouse = Path(locate("warehouse", cache_folder()))
    if server is not None:
        ask_all(hand, warehouse)
    for name, arm in arms().items():
        print(name, measure(hand, warehouse, given.out / name, arm))


if __name__ == "__main__":
    main()
