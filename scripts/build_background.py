"""Counts words in public tool descriptions and requests for the embedded agent's idf table."""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from evaltui.agents.embedded.text import stems

TABLE = Path(__file__).parent.parent / "evaltui/agents/embedded/background.json"
_INNER_WORD = re.compile(r"(?<=[a-z,] )[A-Za-z]+")
SELDOM = 2
"""Stems of fewer documents are left out: they are names more often than words."""


def count(cases: Iterable[Mapping[str, Any]]) -> tuple[int, Counter[str]]:
    """`(documents, documents by stem)`: every distinct tool and every message is one document."""
    documents = 0
    counts: Counter[str] = Counter()
    seen: set[tuple[str, str]] = set()
    for case in cases:
        documents += 1
        counts.update(set(stems(case["message"])))
        for tool in case["tools"]:
            key = (tool["name"], tool.get("description") or "")
            if key not in seen:
                seen.add(key)
                documents += 1
                counts.update(set(stems(f"{key[0]} . {key[1]}")))
    return documents, Counter({stem: n for stem, n in counts.items() if n >= SELDOM})


def proper(cases: Iterable[Mapping[str, Any]]) -> set[str]:
    """Stems that requests nearly always write with a capital, wherever they stand."""
    written: dict[str, Counter[bool]] = defaultdict(Counter)
    for case in cases:
        for word in _INNER_WORD.findall(case["message"]):
            for stem in stems(word):
                written[stem][word[0].isupper()] += 1
    return {stem for stem, seen in written.items() if seen[True] > 2 * seen[False]}


def read_cases(folder: Path) -> list[dict[str, Any]]:
    """All cases of all `*.jsonl` in `folder`, in the order of the file names."""
    return [
        json.loads(line)
        for file in sorted(folder.glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
        if line.strip()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of *.jsonl cases")
    cases = read_cases(parser.parse_args().folder)
    documents, counts = count(cases)
    names = proper(cases) & counts.keys()
    by_count: dict[int, list[str]] = defaultdict(list)
    for stem, n in counts.items():
        by_count[n].append(stem)
    rows = {str(n): " ".join(sorted(by_count[n])) for n in sorted(by_count)}
    table = {"documents": documents, "proper": " ".join(sorted(names)), "stems_by_count": rows}
    text = json.dumps(table, ensure_ascii=False, indent=0)
    TABLE.write_text(f"{text}\n", "utf-8")
    print(f"{documents} documents, {len(counts)} stems, {TABLE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
