"""The trained model on small random weights: packs, adapters, helpers and resume change nothing that is learned."""

from __future__ import annotations

from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from dragoman.questions import Example, Question

torch = pytest.importorskip("torch", reason="training/requirements.txt is not installed")

from adapter import Adapter, read_adapter, write_adapter  # noqa: E402
from base import Base  # noqa: E402
from gguf import GGMLQuantizationType  # noqa: E402
from lora_model import LoraModel, Pack, new_adapter  # noqa: E402
from mean import mean  # noqa: E402
from packs import Lesson, sampled  # noqa: E402
from shares import Shares  # noqa: E402
from training_run import TrainingRun  # noqa: E402

WIDTH, INNER, WORDS = 64, 96, 50


@pytest.fixture(scope="module")
def base() -> Base:
    """Two layers, four heads over two key heads."""
    random = torch.Generator().manual_seed(1)
    shapes = {"attn_q": (WIDTH, WIDTH), "attn_k": (32, WIDTH), "attn_v": (32, WIDTH), "attn_output": (WIDTH, WIDTH)}
    shapes |= {"ffn_gate": (INNER, WIDTH), "ffn_up": (INNER, WIDTH), "ffn_down": (WIDTH, INNER)}
    weights = {"token_embd.weight": torch.randn(WORDS, WIDTH, generator=random).bfloat16()}
    weights["output_norm.weight"] = torch.ones(WIDTH)
    for layer in range(2):
        for name, shape in shapes.items():
            weights[f"blk.{layer}.{name}.weight"] = (torch.randn(shape, generator=random) / shape[1] ** 0.5).bfloat16()
        weights[f"blk.{layer}.attn_norm.weight"] = torch.ones(WIDTH)
        weights[f"blk.{layer}.ffn_norm.weight"] = torch.ones(WIDTH)
    return Base(weights, layers=2, heads=4, kv_heads=2, rope_base=10000.0, epsilon=1e-5, end=2)


def model(base: Base) -> LoraModel:
    """A model whose adapter does something already."""
    adapter = new_adapter(base, rank=4, seed=0)
    random = torch.Generator().manual_seed(2)
    for name, weight in adapter.items():
        if name.endswith("lora_b"):
            weight.copy_(torch.randn(weight.shape, generator=random) / 4)
        weight.requires_grad_(True)
    return LoraModel(base, adapter, alpha=8.0)


SCHEMA = (5, 6, 7, 8, 9)
QUESTIONS = ((11, 12, 13, 14), (21, 22, 23, 24, 25, 26), (31, 32))


def packed(*questions: tuple[int, ...]) -> Pack:
    """The questions over the one schema; the last two tokens of each are learned."""
    tokens = SCHEMA + tuple(t for question in questions for t in question)
    labels = (False,) * len(SCHEMA)
    for question in questions:
        labels += (False,) * (len(question) - 2) + (True, True)
    return Pack(tokens, labels, len(SCHEMA), tuple(map(len, questions)), tuple(str(q[0]) for q in questions))


def test_a_question_in_a_pack_loses_as_much_as_alone(base: Base) -> None:
    tested = model(base)
    # The first learned token of the shortest question follows the schema's last token in its own sequence only.
    together = tested.losses(packed(*QUESTIONS[:2])).tolist()
    alone = [tested.losses(packed(question)).item() for question in QUESTIONS[:2]]
    assert together == pytest.approx(alone, rel=0.02)


def test_a_question_does_not_see_its_neighbours(base: Base) -> None:
    tested = model(base)
    one = tested.hidden(packed(QUESTIONS[0], QUESTIONS[1]))[: len(SCHEMA) + len(QUESTIONS[0])]
    other = tested.hidden(packed(QUESTIONS[0], (41, 42, 43, 44, 45, 46)))[: len(one)]
    assert torch.equal(one, other)


def test_later_tokens_change_nothing_before_them(base: Base) -> None:
    tested = model(base)
    one = tested.hidden(packed((11, 12, 13, 14)))
    other = tested.hidden(packed((11, 12, 13, 40)))
    assert torch.equal(one[:-1], other[:-1])
    assert not torch.equal(one[-1], other[-1])


@pytest.mark.parametrize(("kind", "error"), [(GGMLQuantizationType.F16, 0.001), (GGMLQuantizationType.Q8_0, 0.01)])
def test_an_adapter_comes_back_from_its_file(tmp_path: Path, kind: GGMLQuantizationType, error: float) -> None:
    weights = {"blk.0.attn_q.weight.lora_a": torch.randn(32, 64), "blk.0.attn_q.weight.lora_b": torch.randn(64, 32)}
    write_adapter(Adapter(weights, 64.0, "select"), tmp_path / "a.gguf", kind)
    again = read_adapter(tmp_path / "a.gguf")
    assert (again.alpha, again.order, again.rank) == (64.0, "select", 32)
    for name, weight in weights.items():
        assert (again.weights[name] - weight).abs().max() <= error * weight.abs().max()


def test_a_helper_computes_the_same_gradient(base: Base, tmp_path: Path) -> None:
    """In processes of their own: a model that has run already cannot be forked."""
    packs = [packed(*QUESTIONS[:2]), packed(QUESTIONS[1]), packed(QUESTIONS[0])]
    gradients = []
    for helpers in (0, 1):
        out = tmp_path / f"{helpers}.pt"
        process = get_context("spawn").Process(target=save_gradient, args=(base, packs, helpers, out))
        process.start()
        process.join(120)
        assert process.exitcode == 0
        gradients.append(torch.load(out))
    for name, gradient in gradients[0].items():
        assert torch.allclose(gradient, gradients[1][name], rtol=0.02, atol=1e-4), name


def save_gradient(base: Base, packs: list[Pack], helpers: int, out: Path) -> None:
    """Write the gradient that `helpers` processes beside this one help to compute."""
    tested = model(base)
    losses = Shares(tested, helpers).backward(packs)
    assert set(losses) == {"11", "21"}
    torch.save({name: weight.grad for name, weight in tested.adapter.items()}, out)


def test_a_run_goes_on_where_it_was_saved(base: Base, tmp_path: Path) -> None:
    def start() -> TrainingRun:
        tested = model(base)
        return TrainingRun(tested, Shares(tested, 0), torch.optim.AdamW(tested.adapter.values()), 1e-2, 2)

    packs = [packed(*QUESTIONS[:2])]
    whole = start()
    first, _ = whole.step(packs)
    whole.save(tmp_path / "state.pt")
    after, _ = whole.step(packs)
    assert after < first
    again = start()
    again.load(tmp_path / "state.pt")
    assert again.step(packs)[0] == pytest.approx(after, rel=1e-3)
    assert again.progress.step == 2


def test_a_mean_takes_the_mean_of_each_weight_and_no_other_form(base: Base) -> None:
    one, two = (Adapter(new_adapter(base, rank=4, seed=seed), 8.0, "from") for seed in (0, 1))
    made = mean([one, two])
    assert all(torch.equal(made.weights[name], (one.weights[name] + two.weights[name]) / 2) for name in one.weights)
    assert (made.alpha, made.order, made.rank) == (8.0, "from", 4)
    with pytest.raises(ValueError, match="points of one run"):
        mean([one, replace(two, order="select")])


def test_an_epoch_has_all_of_the_questions_named_and_a_share_of_the_others() -> None:
    def lesson(number: int, database: str) -> Lesson:
        return Lesson(Example(Question("?", id=f"{database} {number}"), "SELECT 1", database), [], [], frozenset())

    found = [lesson(n, database) for database in ("demo-0", "spider") for n in range(200)]
    whole = {f"demo-0 {n}" for n in range(20)}
    drawn = sampled(found, 0.1, 0.5, whole, seed=0)
    ids = [taken.example.question.id for taken in drawn]
    assert whole <= set(ids)
    assert 80 < sum(name.startswith("demo") for name in ids) < 140
    assert 8 < sum(name.startswith("spider") for name in ids) < 40
    assert sampled(found, 0.1, 0.5, whole, seed=0) == drawn
    assert sampled(found, 1.0, 1.0, (), seed=0) == found
