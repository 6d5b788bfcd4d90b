"""Greedy answers of an adapter on a fixed sample of Spider dev: `python training/evaluate.py --adapter FILE.gguf ...`.

The sample is stratified by database and the same for every adapter; wta_1, whose data are not Spider's, is apart
(`--only wta_1`), and so are the demo's easy and medium questions (`--only demo`) and questions over the demo that were
written like the practice but are kept from it (`--only practice`). One JSON line an answer goes to `--out`; a second
run goes on where the file stands.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from drawn_names import copies, moved
from practice import written
from spider import Spider

from dragoman.databases import connect
from dragoman.demo import open_demo, workload
from dragoman.demo.refining_workload import refining_workload
from dragoman.linking.lexical import link, values_seen
from dragoman.metrics.judge import judge
from dragoman.models.embedded.gguf import gguf_metadata
from dragoman.models.embedded.requests import ReplyText, request_body
from dragoman.models.embedded.runtime import Runtime
from dragoman.models.embedded.sql_form import SqlForm
from dragoman.models.model import Message, Settings
from dragoman.questions import Example

MOST_TOKENS = 220
ORDER_KEY = "dragoman.sql_form.order"


def stratified(examples: Sequence[Example], count: int, seed: int = 1) -> list[Example]:
    """`count` examples, each database with its share: every k-th of the examples sorted by database."""
    order = random.Random(seed)
    mixed = sorted(order.sample(examples, len(examples)), key=lambda e: e.database)
    return [mixed[i * len(mixed) // count] for i in range(count)]


def main() -> None:
    """Answer what is still open, then print the share that is right."""
    arguments = _arguments()
    order = gguf_metadata(arguments.adapter).get(ORDER_KEY)
    form = SqlForm("select" if order == "select" else "from")
    demo = connect(str(open_demo(arguments.work)))
    spider = Spider(arguments.spider, arguments.work, {"demo": demo, **copies(demo, 12)})
    sample = chosen(spider, arguments.only, arguments.count)
    done = [json.loads(line) for line in arguments.out.read_text().splitlines()] if arguments.out.exists() else []
    answered = {line["id"] for line in done}
    with tempfile.TemporaryDirectory() as states, arguments.out.open("a") as out:
        runtime = Runtime(arguments.base, arguments.adapter, arguments.threads, 2048, Path(states))
        for example in sample:
            if example.question.id not in answered:
                line = answer(runtime, form, spider, example, arguments.grammar, arguments.values)
                out.write(json.dumps(line) + "\n")
                out.flush()
                done.append(line)
        runtime.close()
    verdicts = Counter(line["verdict"] for line in done)
    print(f"{arguments.adapter}: {verdicts['correct'] / len(done):.1%} of {len(done)} right; {dict(verdicts)}")


def chosen(spider: Spider, only: str | None, count: int) -> list[Example]:
    """The sample: of dev without wta_1, of wta_1 alone, or of questions over the demo."""
    if only == "demo":
        return [e for e in workload().examples if e.difficulty in ("easy", "medium")]
    if only == "practice":
        demo = spider.database("demo")
        assert demo is not None
        asked = written(demo, (e.sql for e in refining_workload() if e.sql), held_out=True)
        return list(moved(asked, copies(demo, 12)))
    dev = [e for e in spider.examples("dev") if (e.database == "wta_1") == (only == "wta_1")]
    return stratified(dev, min(count, len(dev)))


def answer(
    runtime: Runtime, form: SqlForm, spider: Spider, example: Example, grammar: bool, values: bool
) -> dict[str, object]:
    """Ask, execute and judge one example by the strict rule."""
    schema, hints = spider.schema(example.database), spider.hints(example) if values else ()
    seen = link(schema, example.question.text, hints, form.budget, form.size)
    settings = Settings(max_tokens=MOST_TOKENS, stop=form.stop, grammar=form.grammar(seen) if grammar else "")
    chat, body = request_body(
        [Message("raw", form.prompt(seen, example.question.text, values_seen(schema, seen, hints)))], (), settings
    )
    text = ReplyText(None)
    runtime.complete(body, 1.0, chat, text.add)
    reply = text.reply(0.0)
    sql = form.sql(reply.text, schema)
    database = spider.database(example.database)
    assert database is not None  # all of dev's databases are there
    verdict = judge(example, sql, database)
    return {"id": example.question.id, "database": example.database, "sql": sql, "verdict": verdict.verdict.value}


def _arguments() -> argparse.Namespace:
    here = Path(__file__).parent
    parser = argparse.ArgumentParser(description="Measure an adapter on a fixed sample of Spider dev.")
    parser.add_argument("--adapter", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="SmolLM2-135M-Instruct as GGUF")
    parser.add_argument("--spider", type=Path, required=True, help="folder with dev.json, database/")
    parser.add_argument("--work", type=Path, default=here / "work", help="value indexes")
    parser.add_argument("--out", type=Path, required=True, help="JSON Lines, one an answer")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", choices=("wta_1", "demo", "practice"), help="measure this instead")
    parser.add_argument("--grammar", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--values", action=argparse.BooleanOptionalAction, default=True, help="name values in prompts")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
