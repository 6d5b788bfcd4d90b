"""The learned text on debugging tasks over the demo database in SQLite and PostgreSQL, beside the one it came from:

    python experiments/learn_transfer.py [--base-url URL]

Without a server the recorded replies alone are used.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from experiments.learn_by_hand import RECORDED, by_hand
from experiments.recorded_by_hand import RecordedByHand
from tests.agent.demo_postgres import demo_in_postgres

from dragoman.agent.debugging import demo_tasks, problems
from dragoman.agent.skills import Skill, find_skill, read_skill
from dragoman.agent.trajectory import trajectory
from dragoman.databases import Database, connect
from dragoman.models import Model, open_model
from dragoman.solver import Answer, Draw
from dragoman.statistics import similarity

TASKS = ("fan-out-refunds", "integer-division", "last-day-cut-off", "not-in-null")


def texts() -> tuple[Skill, Skill]:
    """The seed and what was learned from it."""
    return find_skill("draft_first"), read_skill(RECORDED / "golden" / "pool" / "draft_first.md")


def repairs(hand: Model, database: Database) -> dict[tuple[str, str], Answer]:
    """By skill and task, what the agent handed in."""
    tasks = [task for task in demo_tasks(database.dialect) if task.id in TASKS]
    runs = [(skill.label, task) for task in tasks for skill in texts()]
    solvers = {skill.label: by_hand(hand)(skill)(database) for skill in texts()}
    with ThreadPoolExecutor(len(runs)) as pool:
        answers = pool.map(lambda run: solvers[run[0]](run[1].question, Draw()), runs)
        return {(label, task.id): answer for (label, task), answer in zip(runs, answers, strict=True)}


def told(hand: Model, database: Database) -> str:
    """Repairs that pass every check, and how alike the two texts work."""
    found = repairs(hand, database)
    tasks = [task for task in demo_tasks(database.dialect) if task.id in TASKS]
    seed, learned = (skill.label for skill in texts())
    right = {
        label: sum(not problems(task, database, found[label, task.id].sql) for task in tasks)
        for label in (seed, learned)
    }
    actions = [[trajectory(found[label, t.id].steps, database.dialect) for t in tasks] for label in (seed, learned)]
    alike = sum(similarity(a, b) for a, b in zip(*actions, strict=True)) / len(tasks)
    return f"{database.dialect}: {right} of {len(tasks)}, trajectories {alike:.2f} alike"


def main() -> None:
    """Measure both targets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base-url")
    given = parser.parse_args()
    server = open_model("openai:hand", base_url=given.base_url) if given.base_url else None
    with tempfile.TemporaryDirectory() as name, demo_in_postgres(Path(name)) as postgres:
        sqlite = connect(str(Path(name) / "demo.sqlite"))
        targets = {"sqlite": sqlite, "postgres": postgres}
        hands = {dialect: RecordedByHand(RECORDED / f"debugging_{dialect}.jsonl", server) for dialect in targets}
        with ThreadPoolExecutor(len(targets)) as pool:
            for line in pool.map(lambda dialect: told(hands[dialect], targets[dialect]), targets):
                print(line)
        sqlite.close()


if __name__ == "__main__":
    main()
