"""Fits the embedded agent's weights to function-calling cases; needs numpy, the package does not.

Prints the weights for `gate.py` and `several.py`, and what they reach in cross-validation: five
parts by tool name, words counted and weights fitted anew without each part's tools.
"""

import argparse
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log1p
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from build_background import count, proper, read_cases

from evaltui.agents.embedded import several
from evaltui.agents.embedded.background import Background, from_counts
from evaltui.agents.embedded.filling import fill
from evaltui.agents.embedded.message import MessageReading, read_message
from evaltui.agents.embedded.scoring import Evidence, weigh
from evaltui.agents.embedded.tool_document import ToolDocument, read_tool
from evaltui.core.tool import ToolDefinition

PARTS = 5
CALL_AT = 0.40
REFUSALS = 0.823
"""The bias is moved until this share of requests that no tool fits is refused."""
WEIGHT = {
    "simple_python": 6.0, "multiple": 6.0, "live_simple": 0.4, "live_multiple": 0.4,
    "irrelevance": 1.5, "live_irrelevance": 1.5,
}  # fmt: skip
SEVERAL = ("parallel_multiple", "live_parallel_multiple")
Case = Mapping[str, Any]


class Row(NamedTuple):
    evidence: Evidence
    fill: float
    x: tuple[float, ...]


def part(name: str) -> int:
    """Which part a tool belongs to, by its name alone."""
    return zlib.crc32(name.encode()) % PARTS


def part_of(case: Case) -> int:
    wanted = expected(case)
    return part(min(wanted) if wanted else case["tools"][0]["name"])


def expected(case: Case) -> set[str]:
    return {name for call in case["calls"] for name in call}


def table(cases: Sequence[Case], without: int | None) -> Background:
    """The idf table counted without one part's tools and messages."""
    kept = [
        {
            "message": case["message"] if part_of(case) != without else "",
            "tools": [tool for tool in case["tools"] if part(tool["name"]) != without],
        }
        for case in cases
    ]
    documents, counts = count(kept)
    return from_counts(documents, dict(counts), frozenset(proper(kept)))


def rows(cases: Iterable[Case], background: Background) -> list[tuple[MessageReading, list[Row]]]:
    """Evidence of every tool of every case."""
    known: dict[str, ToolDocument] = {}
    found = []
    for case in cases:
        message = read_message(case["message"], background)
        mine = []
        for tool in case["tools"]:
            key = json.dumps(tool, sort_keys=True)
            if key not in known:
                known[key] = read_tool(
                    ToolDefinition(
                        tool["name"], tool.get("description"), parameters=tool.get("inputSchema")
                    ),
                    background,
                )
            if known[key].terms.keys().isdisjoint(message.query):
                continue
            evidence = weigh(known[key], message)
            filling = fill(known[key], message)
            x = (
                evidence.cover,
                evidence.name_cover,
                evidence.tool_cover,
                log1p(evidence.bm25),
                filling.evidence,
                filling.extra,
            )
            mine.append(Row(evidence, filling.evidence, x))
        found.append((message, mine))
    return found


def logistic(
    x: Any, y: Any, weight: Any, steps: int = 4000, ridge: float = 1e-3
) -> tuple[Any, float]:
    """Weighted logistic regression with weights >= 0, by accelerated projected gradient."""
    scale = x.std(0) + 1e-9
    z = np.c_[x / scale, np.ones(len(x))]
    share = weight / weight.sum()
    rate = 4 / np.linalg.norm(z * np.sqrt(share)[:, None], 2) ** 2
    w = ahead = np.zeros(z.shape[1])
    t = 1.0
    for _ in range(steps):
        p = 1 / (1 + np.exp(-z @ ahead))
        gradient = z.T @ (share * (p - y))
        gradient[:-1] += ridge * ahead[:-1]
        new = ahead - rate * gradient
        new[:-1] = np.maximum(new[:-1], 0)
        following = (1 + np.sqrt(1 + 4 * t * t)) / 2
        ahead = new + (t - 1) / following * (new - w)
        w, t = new, following
    return w[:-1] / scale, float(w[-1])


def fit_gate(cases: Sequence[Case], found: Any, without: int | None) -> tuple[Any, float]:
    x, y, weight = [], [], []
    for case, (_, mine) in zip(cases, found, strict=True):
        share = WEIGHT.get(case["category"])
        if share is None:
            continue
        for row in mine:
            if part(row.evidence.document.name) != without:
                x.append(row.x)
                y.append(row.evidence.document.name in expected(case))
                weight.append(share)
    return logistic(np.array(x), np.array(y, float), np.array(weight))


def sigmoid(logit: float) -> float:
    return 1 / (1 + exp(-logit))


def rate(mine: Sequence[Row], w: Any, bias: float) -> list[several.Rated]:
    """All tools of a case, best first."""
    ranked = [several.Rated(row.evidence, sigmoid(float(np.dot(w, row.x)) + bias)) for row in mine]
    return sorted(ranked, key=lambda r: (-r.p, -r.evidence.bm25, r.evidence.document.name))


def several_rows(message: MessageReading, rated: list[several.Rated]) -> list[Any]:
    if len(rated) < 2:
        return []
    contest = several.Contest(message, rated)
    return [
        (other, contest.features(other))
        for other in rated[1:]
        if not other.evidence.matched <= rated[0].evidence.matched
    ]


def fit_several(cases: Sequence[Case], found: Any, w: Any, bias: float, without: int | None) -> Any:
    x, y, weight = [], [], []
    for case, (message, mine) in zip(cases, found, strict=True):
        category = case["category"]
        if category not in (*SEVERAL, "multiple", "live_multiple"):
            continue
        for other, features in several_rows(message, rate(mine, w, bias)):
            if part(other.evidence.document.name) != without:
                x.append(features)
                y.append(other.evidence.document.name in expected(case))
                weight.append({"multiple": 2.0, "live_multiple": 0.5}.get(category, 1.0))
    return logistic(np.array(x), np.array(y, float), np.array(weight))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    cases = read_cases(parser.parse_args().folder)
    tops: dict[int, list[several.Rated]] = {}
    kept: dict[int, Any] = {}
    for k in range(PARTS):
        found = rows(cases, table(cases, k))
        w, bias = fit_gate(cases, found, k)
        w2, bias2 = fit_several(cases, found, w, bias, k)
        for i, case in enumerate(cases):
            if part_of(case) == k:
                tops[i] = rate(found[i][1], w, bias)
                kept[i] = (found[i][0], w2, bias2)
    refusals = sorted(
        tops[i][0].p if tops[i] else 0.0
        for i, case in enumerate(cases)
        if case["category"] in ("irrelevance", "live_irrelevance")
    )
    at = refusals[int(len(refusals) * REFUSALS)]
    shift = np.log(CALL_AT / (1 - CALL_AT)) - np.log(at / (1 - at))
    report(cases, tops, kept, at)
    found = rows(cases, table(cases, None))
    w, bias = fit_gate(cases, found, None)
    w2, bias2 = fit_several(cases, found, w, bias, None)
    print("cover, name, tool, bm25, fill, extra", np.round(w, 2), "bias", round(bias + shift, 2))
    print(several.Features._fields, np.round(w2, 2), "bias", round(bias2, 2))


def report(cases: Sequence[Case], tops: Any, kept: Any, at: float) -> None:
    for also_at in (0.35, 0.45, 0.6):
        right: dict[str, list[bool]] = {}
        for i, case in enumerate(cases):
            message, w2, bias2 = kept[i]
            rated = tops[i]
            chosen = set()
            if rated and rated[0].p >= at:
                chosen = {rated[0].evidence.document.name}
                explained = set(rated[0].evidence.matched)
                for other, features in several_rows(message, rated):
                    if other.evidence.matched <= explained:
                        continue
                    if sigmoid(float(np.dot(w2, features)) + bias2) >= also_at:
                        chosen.add(other.evidence.document.name)
                        explained |= other.evidence.matched
            right.setdefault(case["category"], []).append(chosen == expected(case))
        print(f"threshold {at:.3f}, also at {also_at}")
        print("  ", {name: round(sum(v) / len(v), 3) for name, v in right.items()})
        for label, names in (
            ("clean", ("simple_python", "multiple")),
            ("user", ("live_simple", "live_multiple")),
            ("refusals", ("irrelevance", "live_irrelevance")),
        ):
            v = [x for name in names for x in right.get(name, [])]
            print("  ", label, round(sum(v) / max(1, len(v)), 3), len(v))


if __name__ == "__main__":
    main()
