"""A small, slow reader of GBNF that owes nothing to llama.cpp: does a text belong to a grammar, and random sentences.

Literals, character classes, groups, alternatives, `?`, `*`, `+` and `{m,n}`; one rule a line.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable
from functools import cached_property

Terminal = Callable[[str], bool]
Symbol = str | Terminal
Stack = tuple[Symbol, "Stack"] | None
_TOKEN = re.compile(r'\s*(?:("(?:[^"\\]|\\.)*")|(\[(?:[^\]\\]|\\.)*\])|([A-Za-z][\w-]*)|(\{\d+(?:,\d*)?\})|([()|?*+]))')
_ANY = "abcXYZ 1%_é"


class Gbnf:
    """A grammar. `rules` maps a name to its alternatives, each a sequence of names and terminals."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, list[tuple[Symbol, ...]]] = {}
        self.samples: dict[int, str] = {}
        self._kept: list[Terminal] = []
        self._fresh = 0
        for line in text.splitlines():
            if line and not line.startswith("#"):
                name, body = line.split(" ::= ", 1)
                tokens = _tokens(body)
                self.rules[name] = self._alternatives(tokens)
                assert not tokens, f"{name}: {tokens[:3]}"
        missing = {s for found in self.rules.values() for way in found for s in way if isinstance(s, str)}
        assert missing <= set(self.rules), missing - set(self.rules)

    def accepts(self, text: str) -> bool:
        """Whether the whole text is a sentence."""
        stacks = self._open([("root", None)])
        for character in text:
            stacks = self._open(stack[1] for stack in stacks if stack and callable(stack[0]) and stack[0](character))
        return None in stacks

    def sentence(self, source: random.Random, length: int = 150) -> str:
        """A random sentence, brought to its end by the shortest way from `length` characters on."""
        text: list[str] = []
        todo: list[Symbol] = ["root"]
        while todo:
            symbol = todo.pop()
            if callable(symbol):
                text.append(source.choice(self.samples[id(symbol)]))
                continue
            ways = self.rules[symbol]
            way = source.choice(ways) if len(text) < length else min(ways, key=self._size)
            todo.extend(reversed(way))
        return "".join(text)

    def _open(self, stacks: Iterable[Stack]) -> set[Stack]:
        """Every stack that begins with a terminal, or is empty, which `stacks` stand for."""
        todo, seen, ready = list(stacks), set[Stack](), set[Stack]()
        while todo:
            stack = todo.pop()
            if stack in seen:
                continue
            seen.add(stack)
            if stack is None or callable(stack[0]):
                ready.add(stack)
                continue
            for way in self.rules[stack[0]]:
                opened = stack[1]
                for symbol in reversed(way):
                    opened = (symbol, opened)
                todo.append(opened)
        return ready

    def _size(self, way: Iterable[Symbol]) -> int:
        return sum(1 if callable(symbol) else self._sizes[symbol] for symbol in way)

    @cached_property
    def _sizes(self) -> dict[str, int]:
        """Steps of the shortest sentence of each rule."""
        sizes, changed = dict.fromkeys(self.rules, 10**9), True
        while changed:
            changed = False
            for name, ways in self.rules.items():
                size = 1 + min(sum(1 if callable(s) else sizes[s] for s in way) for way in ways)
                if size < sizes[name]:
                    sizes[name], changed = size, True
        return sizes

    def _alternatives(self, tokens: list[str]) -> list[tuple[Symbol, ...]]:
        found = [self._sequence(tokens)]
        while tokens and tokens[0] == "|":
            tokens.pop(0)
            found.append(self._sequence(tokens))
        return found

    def _sequence(self, tokens: list[str]) -> tuple[Symbol, ...]:
        symbols: list[Symbol] = []
        while tokens and tokens[0] not in (")", "|"):
            token = tokens.pop(0)
            if token == "(":
                item: tuple[Symbol, ...] = (self._rule(self._alternatives(tokens)),)
                assert tokens.pop(0) == ")"
            elif token.startswith('"'):
                item = tuple(self._terminal(character.__eq__, character) for character in json.loads(token))
            elif token.startswith("["):
                item = (self._terminal(*_class(token)),)
            else:
                item = (token,)
            if tokens and tokens[0][0] in "?*+{":
                item = self._repeated(item, *_bounds(tokens.pop(0)))
            symbols += item
        return tuple(symbols)

    def _repeated(self, item: tuple[Symbol, ...], least: int, most: int | None) -> tuple[Symbol, ...]:
        rest: tuple[Symbol, ...] = ()
        if most is None:
            name = self._rule([()])
            self.rules[name].append((*item, name))
            rest = (name,)
        else:
            for _ in range(most - least):
                rest = (self._rule([(), (*item, *rest)]),)
        return item * least + rest

    def _rule(self, alternatives: list[tuple[Symbol, ...]]) -> str:
        self._fresh += 1
        name = f"-{self._fresh}"
        self.rules[name] = alternatives
        return name

    def _terminal(self, test: Callable[[str], object], samples: str) -> Terminal:
        def terminal(character: str) -> bool:
            return test(character) is True

        self._kept.append(terminal)
        self.samples[id(terminal)] = samples
        return terminal


def _tokens(body: str) -> list[str]:
    tokens, place = [], 0
    while place < len(body.rstrip()):
        match = _TOKEN.match(body, place)
        assert match, body[place : place + 30]
        tokens.append(match.group().strip())
        place = match.end()
    return tokens


def _class(token: str) -> tuple[Callable[[str], bool], str]:
    inside = token[1:-1].removeprefix("^")
    other = token.startswith("[^")
    members = frozenset(c for c in map(chr, range(128)) if re.fullmatch(f"[{inside}]", c))
    samples = _ANY if other else "".join(sorted(members))
    return lambda character: (character in members) is not other, samples


def _bounds(token: str) -> tuple[int, int | None]:
    if token in "?*+":
        return {"?": (0, 1), "*": (0, None), "+": (1, None)}[token]
    least, _, most = token[1:-1].partition(",")
    return int(least), int(most) if most else (None if "," in token else int(least))
