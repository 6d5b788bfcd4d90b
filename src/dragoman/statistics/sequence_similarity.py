"""How alike two sequences of words are, by edit distance (DivSkill-SQL, section 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def similarity(one: Sequence[str], other: Sequence[str]) -> float:
    """1 minus the edit distance over the longer length: 1 for equal sequences, 0 for those that share nothing."""
    longest = max(len(one), len(other))
    return 1.0 - _distance(one, other) / longest if longest else 1.0


def similarity_matrix(runs: Mapping[str, Mapping[str, Sequence[str]]]) -> tuple[tuple[float, ...], ...]:
    """K x K, K the number of runs: how alike two of them are on average over the questions that both answered.

    `runs` maps a run's name to its sequences by question; rows and columns are in its order. Pairs that share no
    question have NaN.
    """
    return tuple(tuple(_mean(pair_similarities(one, other)) for other in runs.values()) for one in runs.values())


def pair_similarities(one: Mapping[str, Sequence[str]], other: Mapping[str, Sequence[str]]) -> tuple[float, ...]:
    """How alike two runs are on each question that both answered, in the order of the first."""
    return tuple(similarity(sequence, other[question]) for question, sequence in one.items() if question in other)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein: the fewest insertions, deletions and replacements."""
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        before, row[0] = row[0], i
        for j, right in enumerate(other, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (left != right))
    return row[-1]
