"""The loop of the agent: one model, six tools, one question.

The messages are the state of a run, the prompt of its next turn and its record: the steps of the answer hold their
texts, so the same replies give the same bytes.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dragoman.agent.desk import AgentLimits, Desk, Observation, Toolbox
from dragoman.agent.opening import opening
from dragoman.agent.read_reply import Call, read_reply
from dragoman.agent.sentences import say
from dragoman.agent.tools import TOOLS, described
from dragoman.agent.trajectory import trajectory
from dragoman.databases import Database
from dragoman.errors import BudgetSpent, ModelError, SetupError
from dragoman.linking.linker import Linker
from dragoman.models import Choice, Message, Model, Settings
from dragoman.models.fence import fence_for
from dragoman.questions import Question
from dragoman.solver import Answer, Candidate, Draw, Failure, Solver, Step
from dragoman.sql.extract import extract

OnStep = Callable[[Draw, Step], None]
"""Told of every step as it is made, and of the draw that it belongs to."""


def agent(
    database: Database,
    model: Model,
    skill: str,
    toolbox: Toolbox,
    limits: AgentLimits = AgentLimits(),
    on_step: OnStep | None = None,
) -> Solver:
    """A solver that works in turns, each one reply of `model` and the tools it calls (DivSkill-SQL, section 3.1).

    `skill` stands verbatim in the system text. The run ends at a submission that runs, at one that was sent back
    before, or at a limit; then the last query that ran is the answer, else the last draft. The last step says why it
    ended. Raises `SetupError` for a model that writes SQL only, and passes `BudgetSpent` on.
    """
    if model.sql_form is not None:
        raise SetupError(f"The model {model.name} writes SQL only and calls no tools. Name a chat model with --model.")

    schema = database.schema()
    linker = Linker(schema)

    def solve(question: Question, draw: Draw) -> Answer:
        started = time.monotonic()
        fence = fence_for(draw.seed, database.name)
        reviewer = toolbox.reviewer or model
        desk = Desk(database, schema, question, draw, fence, toolbox, limits, reviewer)
        run = _Run(desk, model, on_step)
        for message in opening(desk, skill, linker):
            run.messages.append(message)
            run.note(Step("prompt", message.text, data={"message": message.role}))
        try:
            while not run.stop:
                _turn(run)
        except BudgetSpent:
            raise
        except ModelError as error:
            run.stop, run.failure = "model", Failure(error.code, str(error))
        return _answer(run, started)

    return solve


@dataclass(slots=True)
class _Run:
    """What a run has said, seen and used. `stop` is why it ended, "" while it goes on."""

    desk: Desk
    model: Model
    on_step: OnStep | None
    messages: list[Message] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    turns: int = 0
    executions: int = 0
    malformed: int = 0
    returned: int = 0
    stop: str = ""
    last_ran: Candidate | None = None
    draft: str = ""
    reply: str = ""
    failure: Failure | None = None

    def note(self, step: Step) -> None:
        """Keep a step and tell of it."""
        self.steps.append(step)
        if self.on_step:
            self.on_step(self.desk.draw, step)


def _turn(run: _Run) -> None:
    """One reply of the model, and everything that it calls."""
    limits = run.desk.limits
    choice = _ask(run)
    calls = read_reply(choice)
    used = [_carry_out(run, call) for call in calls]
    run.malformed = run.malformed + 1 if all(call.problem for call in calls) else 0
    if not run.stop and run.malformed >= limits.malformed:
        run.stop = "malformed"
    if not run.stop and run.turns >= limits.turns:
        run.stop = "turns"
    if not run.stop:
        last = used[-1]
        used[-1] = dataclasses.replace(last, text=f"{last.text}\n\n{_status(run)}")
    _tell(run, calls, [step.text for step in used])
    for step in used:
        run.note(step)


def _ask(run: _Run) -> Choice:
    """The model's reply, which is already said."""
    draw, text_protocol = run.desk.draw, run.desk.toolbox.text_protocol
    settings = Settings(draw.temperature, draw.seed, draw.sample, max_tokens=run.desk.limits.tokens)
    tools = () if text_protocol else tuple(tool.offer for tool in described().values())
    reply = run.model.complete(tuple(run.messages), tools, settings)
    run.turns += 1
    choice = _identified(reply.choices[0], run.turns)
    calls = [{"name": call.name, "arguments": call.arguments} for call in choice.tool_calls]
    data = {"turn": run.turns, "tool_calls": calls} if calls else {"turn": run.turns}
    step = Step("model", choice.text, "generator", data, reply.usage, reply.cost, reply.seconds)
    sendable = tuple(dataclasses.replace(call, arguments=_valid(call.arguments)) for call in choice.tool_calls)
    run.messages.append(Message("assistant", choice.text or ("" if calls else "(nothing)"), sendable))
    run.note(step)
    return choice


def _identified(choice: Choice, turn: int) -> Choice:
    """The choice with an id for every call, for servers that give none."""
    calls = enumerate(choice.tool_calls, 1)
    return dataclasses.replace(
        choice, tool_calls=tuple(dataclasses.replace(c, id=c.id or f"call_{turn}_{i}") for i, c in calls)
    )


def _valid(arguments: str) -> str:
    """The arguments, or an empty object: providers refuse a conversation that holds broken JSON."""
    try:
        return arguments if isinstance(json.loads(arguments), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def _carry_out(run: _Run, call: Call) -> Step:
    """Use the tool that a call names. The step holds what the model reads of it."""
    started = time.monotonic()
    if run.stop:
        observation = Observation(say("not_run"), "not_run")
    elif call.problem:
        run.draft = extract(run.messages[-1].text, run.desk.schema.dialect).sql or run.draft
        observation = Observation(call.problem, "malformed")
    elif call.name == "execute_sql" and run.executions >= run.desk.limits.executions:
        run.stop = "executions"
        observation = Observation(say("not_run"), "not_run")
    else:
        run.executions += call.name == "execute_sql"
        observation = TOOLS[call.name](run.desk, call.argument)
        _take(run, observation)
    for step in observation.steps:
        run.note(step)
    data = {"turn": run.turns, "tool": call.name, "argument": call.argument, "outcome": observation.outcome}
    return Step("tool", observation.text, data=data, seconds=time.monotonic() - started)


def _take(run: _Run, observation: Observation) -> None:
    """Learn from what a tool handed back: the last query that ran, the last draft, the end of the run."""
    candidate = observation.candidate
    if candidate is not None:
        run.draft = candidate.sql
        run.last_ran = candidate if candidate.rows is not None else run.last_ran
    if observation.final:
        failed = candidate is not None and candidate.error is not None
        if failed and run.returned < run.desk.limits.returns:
            run.returned += 1
        else:
            run.stop, run.reply = "submitted", observation.reply


def _status(run: _Run) -> str:
    limits = run.desk.limits
    lines = [
        say("status", turn=run.turns, turns=limits.turns, executions=run.executions, limit=limits.executions),
        *([say("last_turn")] if run.turns == limits.turns - 1 else []),
        *([say("no_executions")] if run.executions >= limits.executions else []),
    ]
    return " ".join(lines)


def _tell(run: _Run, calls: tuple[Call, ...], found: list[str]) -> None:
    """Hand what was found to the model: one message for each native call, one for all blocks of a text."""
    if all(call.id for call in calls):
        run.messages += [Message("tool", text, (), call.id) for call, text in zip(calls, found, strict=True)]
    else:
        run.messages.append(Message("user", "\n\n".join(found)))


def _answer(run: _Run, started: float) -> Answer:
    """The submission, or at a limit the last query that ran, else the last draft."""
    submitted = run.stop == "submitted"
    candidate: Candidate | None = None
    if submitted and not run.reply:
        candidate = run.desk.run(run.draft)
    elif not submitted:
        candidate = run.last_ran or (run.desk.run(run.draft) if run.draft else None)
    data = {"reason": run.stop, "turns": run.turns, "executions": run.executions}
    run.note(Step("stop", run.failure.message if run.failure else "", data=data))
    steps, seconds = tuple(run.steps), time.monotonic() - started
    if candidate is not None:
        candidate = dataclasses.replace(candidate, actions=trajectory(steps, run.desk.schema.dialect))
    if run.failure is not None:
        candidates = () if candidate is None else (candidate,)
        return Answer(error=run.failure, candidates=candidates, steps=steps, seconds=seconds)
    if candidate is not None:
        return Answer(candidate.sql, candidate.rows, "", candidate.error, (candidate,), steps, seconds=seconds)
    failure = None if run.reply else Failure("no_sql", f"The model {run.model.name} wrote no query.")
    return Answer(text=run.reply, error=failure, steps=steps, seconds=seconds)
