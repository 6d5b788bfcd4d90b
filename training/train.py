"""Train the SQL adapter: `python training/train.py --base MODEL.gguf --spider FOLDER`. Goes on where it stands.

`echo 40 > training/work/finish` makes it lower the learning rate to zero over the next 40 steps, write the milestone
work/adapter-STEP.gguf, and go on from where it was before.
"""

from __future__ import annotations

import argparse
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import torch
from adapter import Adapter, read_adapter, write_adapter
from base import read_base, read_tokenizer
from drawn_names import TABLE, copies, moved
from gguf import GGMLQuantizationType
from lora_model import LoraModel, Pack, new_adapter
from packs import epoch, lessons, sampled
from practice import practice, written
from shares import Shares
from spider import Spider
from training_run import Progress, TrainingRun

from dragoman.databases import Database, connect
from dragoman.demo import open_demo
from dragoman.demo.refining_workload import refining_workload
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.questions import Example

ALPHA = 64.0
SAVE_SECONDS = 240


def main() -> None:
    """Read the arguments, set up, train until stopped or until the given steps are done."""
    arguments = _arguments()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    os.nice(19)
    arguments.work.mkdir(parents=True, exist_ok=True)
    (arguments.work / "pid").write_text(f"{os.getpid()}\n")
    base = read_base(arguments.base)
    start = (
        read_adapter(arguments.start).weights if arguments.start else new_adapter(base, arguments.rank, arguments.seed)
    )
    for weight in start.values():
        weight.requires_grad_(True)
    model = LoraModel(base, start, ALPHA)
    shares = Shares(model, arguments.helpers)
    optimizer = torch.optim.AdamW(start.values(), lr=arguments.rate, weight_decay=0.01, betas=(0.9, 0.98))
    training = TrainingRun(model, shares, optimizer, arguments.rate, arguments.warm_up)
    state = arguments.work / "state.pt"
    if state.exists():
        training.load(state)
    tokenizer = read_tokenizer(arguments.base)
    demo = connect(str(open_demo(arguments.work)))
    shown_as = copies(demo, arguments.copies, arguments.seed)
    spider = Spider(arguments.spider, arguments.work, shown_as)
    examples = spider.examples("train_spider")[: arguments.examples]
    practised = _practised(demo, arguments) if arguments.practice else ()
    taken_over = {example.question.id for example in practised if TABLE in (example.sql or "")}
    found = lessons(spider, (*examples, *moved(practised, shown_as)), SqlForm(arguments.order), tokenizer, base.end)
    print(f"{len(found)} examples, from step {training.progress.step}", flush=True)

    def epoch_packs(progress: Progress) -> Iterable[Pack]:
        drawn = sampled(found, arguments.share, arguments.practice_share, taken_over, progress.epoch)
        return epoch(drawn, progress.known, spider, tokenizer, progress.epoch)

    run(training, _batches(training, epoch_packs, arguments.packs), arguments)


def _practised(demo: Database, arguments: argparse.Namespace) -> tuple[Example, ...]:
    """Practice by templates and by hand, with no query that has the form of one in the demo's workloads."""
    avoided = [e.sql for e in refining_workload() if e.sql]
    return (*practice(demo, arguments.seed, arguments.practice, avoided), *written(demo, avoided))


def run(training: TrainingRun, batches: Iterator[list[Pack]], arguments: argparse.Namespace) -> None:
    """Step over the batches, log each step, save now and then, and decay when asked."""
    state, finish, log = arguments.work / "state.pt", arguments.work / "finish", arguments.work / "log.tsv"
    saved = time.monotonic()
    decay = steps = 0
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    for batch in batches:
        if training.progress.step >= arguments.steps and not decay:
            finish.touch()
        if finish.exists() and not decay:
            training.save(state)
            decay = steps = int(finish.read_text() or arguments.decay)
        begin = time.monotonic()
        loss, tokens = training.step(batch, decay / (steps + 1) if decay else 1.0)
        seconds = time.monotonic() - begin
        training.progress.seconds += seconds
        figures = (training.progress.step, training.progress.epoch, f"{loss:.4f}", round(tokens / seconds))
        with log.open("a") as lines:
            lines.write("\t".join(map(str, (*figures, round(training.progress.seconds), decay))) + "\n")
        if decay == 1:
            finish.unlink()
            _milestone(training, arguments)
            if training.progress.step >= arguments.steps:
                return
            training.load(state)
        decay = max(decay - 1, 0)
        if not decay and (stopped or time.monotonic() - saved > SAVE_SECONDS):
            training.save(state)
            saved = time.monotonic()
        if stopped:
            return


def _milestone(training: TrainingRun, arguments: argparse.Namespace) -> None:
    adapter = Adapter(training.model.adapter, ALPHA, arguments.order)
    name = f"adapter-{training.progress.step}"
    write_adapter(adapter, arguments.work / f"{name}.gguf")
    write_adapter(adapter, arguments.work / f"{name}-f16.gguf", GGMLQuantizationType.F16)


def _batches(
    training: TrainingRun, epoch_packs: Callable[[Progress], Iterable[Pack]], size: int
) -> Iterator[list[Pack]]:
    """Batches of `size` packs, epoch after epoch, from where `training.progress` stands."""
    while True:
        packs = list(epoch_packs(training.progress))
        for begin in range(training.progress.pack, len(packs), size):
            training.progress.pack = begin + size
            yield packs[begin : begin + size]
        training.progress.epoch += 1
        training.progress.pack = 0
        training.progress.known = dict(training.progress.losses)


def _arguments() -> argparse.Namespace:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description="Train the SQL adapter of the embedded model.")
    parser.add_argument("--base", type=Path, required=True, help="SmolLM2-135M-Instruct as GGUF")
    parser.add_argument("--spider", type=Path, required=True, help="folder with train_spider.json, database/")
    parser.add_argument("--start", type=Path, help="adapter to start from (GGUF); fresh weights without")
    parser.add_argument("--work", type=Path, default=here / "work", help="state, log, milestones")
    parser.add_argument("--order", choices=("from", "select"), default="from")
    parser.add_argument("--steps", type=int, default=1_000_000, help="stop after a decay behind this step")
    parser.add_argument("--examples", type=int, help="use the first examples only")
    parser.add_argument("--share", type=float, default=1.0, help="share of Spider's examples in an epoch")
    parser.add_argument("--practice", type=int, default=40, help="questions a template over the demo database")
    parser.add_argument(
        "--practice-share", type=float, default=1.0, help="share of practice in an epoch; the taken-over table has all"
    )
    parser.add_argument("--copies", type=int, default=12, help="of the demo, its taken-over table under drawn names")
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--rank", type=int, default=32, help="a multiple of 32, the block of Q8_0")
    parser.add_argument("--warm-up", type=int, default=20)
    parser.add_argument("--decay", type=int, default=40, help="steps of a decay")
    parser.add_argument("--packs", type=int, default=4, help="packs a step")
    parser.add_argument("--helpers", type=int, default=0, help="processes that use other cores' idle time")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
