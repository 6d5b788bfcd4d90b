"""One skill, optimised on what the others fail: reflective evolution by the gepa package (Agrawal et al. 2025)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from gepa.api import optimize
from gepa.core.adapter import EvaluationBatch
from gepa.core.result import GEPAResult

from dragoman.agent.skills import Skill
from dragoman.learn.reflect import Failure
from dragoman.learn.rollout import Attempt, Rollout
from dragoman.questions import Example

TEXT = "strategy"
"""The one component that gepa evolves."""


@dataclass(frozen=True, slots=True)
class Item:
    """An example of a batch, and whether it is reflected on ("train") or chooses among texts ("val")."""

    example: Example
    part: Literal["train", "val"]


@dataclass(frozen=True, slots=True)
class Effort:
    """What one skill may spend in one batch (DivSkill-SQL, appendix B).

    `metric_calls` are runs on minibatches, of parents and children. gepa would charge the seed's and every accepted
    text's runs on the validation part as well, and with the paper's 20 calls against 30 validation examples propose
    nothing; here they are counted apart. At least `proposals` texts are proposed, as long as anything fails, within
    `iterations`.
    """

    metric_calls: int = 20
    minibatch: int = 3
    proposals: int = 3
    iterations: int = 10


@dataclass(frozen=True, slots=True)
class Trial:
    """A text that was proposed, and how it did, whatever became of it.

    `before` and `after` count the runs of one minibatch of `of` questions that its parent and it had right.
    `validation` is its share (0 to 1) of the validation part, None for a text that was no better on the minibatch.
    """

    skill: Skill
    before: int
    after: int
    of: int
    validation: float | None = None


@dataclass(frozen=True, slots=True)
class Optimised:
    """The best text found, None if none beats the first on the validation part.

    `proposed` texts came from reflection, `rejected` calls brought none that passes the lint, `better` ones did
    better on their minibatch. `minibatch_calls` and `validation_calls` count runs asked for, kept ones included.
    `validation` is the share (0 to 1) of the first text, `trials` are all that were proposed, in order.
    """

    skill: Skill | None
    proposed: int = 0
    rejected: int = 0
    better: int = 0
    minibatch_calls: int = 0
    validation_calls: int = 0
    validation: float = 0.0
    trials: tuple[Trial, ...] = ()


Reflect = Any
"""(skill, failures, sample) -> a skill with a better text, or None: `learn.reflect.Reflector`."""


def optimise(
    skill: Skill, items: Sequence[Item], attempt: Attempt, reflect: Reflect, effort: Effort, sample: int
) -> Optimised:
    """Evolve the text of `skill` on `items`; every run is drawn as `sample`, so that none is made twice.

    Of the texts with the best validation share the shortest one is taken (the brevity tie-break of the paper). What
    `attempt` and `reflect` raise ends it and is raised.
    """
    train = [item for item in items if item.part == "train"] or list(items)
    val = [item for item in items if item.part == "val"] or train
    runs = _Runs(skill, attempt, reflect, sample, frozenset(id(item) for item in train))
    minibatch = min(effort.minibatch, len(train))
    result: GEPAResult[Rollout, int] = optimize(
        {TEXT: skill.body},
        train,
        val,
        adapter=cast(Any, runs),
        custom_candidate_proposer=runs.propose,
        batch_sampler=_FailuresFirst(runs, minibatch, random.Random(sample)),
        stop_callbacks=[lambda state: runs.enough(effort, minibatch, state.i + 1)],
        logger=_Silent(),
        seed=sample,
    )
    if runs.fault is not None:
        raise runs.fault
    shares = result.val_aggregate_scores
    best = max(shares)
    order = sorted(range(len(shares)), key=lambda i: (-shares[i], len(result.candidates[i][TEXT]), i))
    found = runs.skills[result.candidates[order[0]][TEXT]] if best > shares[0] or order[0] else None
    counted = (runs.proposed, runs.rejected, len(shares) - 1, runs.calls["minibatch"], runs.calls["validation"])
    chosen = {candidate[TEXT]: share for candidate, share in zip(result.candidates[1:], shares[1:], strict=True)}
    trials = tuple(
        replace(trial, validation=chosen[trial.skill.body]) if trial.after > trial.before else trial
        for trial in runs.trials
    )
    return Optimised(found, *counted, shares[0], trials)


class _Runs:
    """gepa's adapter: runs texts on examples, and asks for better ones. It carries what has been seen so far."""

    propose_new_texts = None

    def __init__(self, skill: Skill, attempt: Attempt, reflect: Reflect, sample: int, train: frozenset[int]) -> None:
        self.skills = {skill.body: skill}
        self.last: dict[str, bool] = {}
        self.calls: Counter[str] = Counter()
        self.proposed = 0
        self.rejected = 0
        self.trials: list[Trial] = []
        self.fault: Exception | None = None
        self._open: Trial | None = None
        self._attempt = attempt
        self._reflect = reflect
        self._sample = sample
        self._train = train
        self._validated: set[str] = set()

    def evaluate(
        self, batch: list[Item], candidate: dict[str, str], capture_traces: bool = False
    ) -> EvaluationBatch[Failure, Rollout]:
        """Runs of one text; their scores are 1 for a right result and 0 for any other."""
        skill = self.skills[candidate[TEXT]]
        rollouts = self._attempt(skill, [item.example for item in batch], self._sample)
        self.calls["minibatch" if all(id(item) in self._train for item in batch) else "validation"] += len(batch)
        self.last |= {rollout.example: rollout.right for rollout in rollouts}
        if self._open is not None and self._open.skill.body == skill.body:
            self.trials.append(replace(self._open, after=sum(rollout.right for rollout in rollouts)))
            self._open = None
        seen = [Failure(item.example.question, run) for item, run in zip(batch, rollouts, strict=True)]
        return EvaluationBatch(list(rollouts), [float(run.right) for run in rollouts], seen)

    def make_reflective_dataset(
        self, candidate: dict[str, str], eval_batch: EvaluationBatch[Failure, Rollout], components_to_update: list[str]
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The runs of the minibatch, as they are."""
        return {name: [{"seen": seen} for seen in eval_batch.trajectories or ()] for name in components_to_update}

    def propose(
        self,
        candidate: dict[str, str],
        reflective_dataset: Mapping[str, Sequence[Mapping[str, Any]]],
        components_to_update: list[str],
    ) -> dict[str, str]:
        """A new text, or nothing, and then no child is run.

        gepa would take an exception for a text that was not proposed and go on; it is kept, and ends the turn.
        """
        seen = [record["seen"] for record in reflective_dataset[TEXT]]
        tried = 1000 * self._sample + self.proposed + self.rejected
        try:
            found = self._reflect(self.skills[candidate[TEXT]], seen, tried)
        except Exception as error:
            self.fault = error
            return {}
        if found is None:
            self.rejected += 1
            return {}
        self.proposed += 1
        self.skills.setdefault(found.body, found)
        self._open = Trial(found, sum(failure.rollout.right for failure in seen), 0, len(seen))
        return {TEXT: found.body}

    def enough(self, effort: Effort, minibatch: int, iterations: int) -> bool:
        """Whether the budget is used up, nothing that has been run fails any more, or a reflection failed."""
        spent = self.calls["minibatch"] + 2 * minibatch > effort.metric_calls
        done = self.proposed >= effort.proposals or all(self.last.values())
        return self.fault is not None or iterations >= effort.iterations or (spent and done)


class _FailuresFirst:
    """Minibatches of what has not been right when last run, or was not run yet, before the rest; least used first."""

    def __init__(self, runs: _Runs, size: int, order: random.Random) -> None:
        self._runs = runs
        self._size = size
        self._order = order
        self._used: Counter[int] = Counter()

    def next_minibatch_ids(self, loader: Any, state: Any) -> list[int]:
        ids = list(loader.all_ids())
        self._order.shuffle(ids)
        items: Mapping[int, Item] = dict(zip(ids, loader.fetch(ids), strict=True))

        def place(i: int) -> tuple[bool, int]:
            return self._runs.last.get(items[i].example.question.id, False), self._used[i]

        chosen = sorted(ids, key=place)[: self._size]
        self._used.update(chosen)
        return chosen


class _Silent:
    """gepa writes a line an iteration; the history of learning says the same in its own words."""

    def log(self, message: str) -> None:
        pass
