"""What a person might do with the sample project and its dashboard, at random and from a seed."""

import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from tests.sample_project import Line

SIZES = ((160, 45), (120, 35), (100, 30), (80, 24), (60, 20))
FILTERS = ("status:failed", "status:passed", "tool:find_order", "is:due", "gs-", "order", "nowhere")
VIEWS = "aaprdofm"
ORDERS = "wwfntd"
WORDS = ("refund", "cancel", "order", "schedule", "parcel", "price", "weather", "tomorrow")


class RandomDay:
    """Chooses and does; `done` says what was done, for whoever has to do it again."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.random = root, Random(seed)
        self.done: list[str] = []
        self._broken: dict[Path, str] = {}
        """What files held before they were broken."""

    async def act(self, line: Line) -> None:
        """Do one thing."""
        weights = {
            self.edit_description: 5,
            self.edit_case: 4,
            self.edit_expectation: 4,
            self.edit_hash: 2,
            self.remove_case: 1,
            self.break_file: 2,
            self.mend_files: 3,
            self.pin: 3,
            self.unpin: 1,
            self.mute: 4,
            self.accept: 3,
            self.undo: 4,
            self.redo: 2,
            self.rerun: 4,
            self.filter: 2,
            self.view: 2,
            self.sort: 1,
            self.suite: 2,
            self.problems: 2,
            self.move: 3,
            self.resize: 3,
        }
        (chosen,) = self.random.choices([*weights], [*weights.values()])
        self.done.append(chosen.__name__)
        do: Callable[[Line], Awaitable[None]] = chosen
        await do(line)
        while len(line.driver.app.screen_stack) > 1:
            await line.driver.press("escape")

    # --- files

    async def edit_description(self, line: Line) -> None:
        tools = sorted((self.root / "tools").rglob("*.tool.ts"))
        path = self._one_of(tools)
        text = path.read_text(encoding="utf-8")
        word = self.random.choice(WORDS)
        changed = re.sub(r"(description:\s*['\"`])", rf"\g<1>{word} ", text, count=1)
        self._save(line, path, changed)

    async def edit_case(self, line: Line) -> None:
        def edit(case: dict) -> None:  # type: ignore[type-arg]
            case["input"]["message"] += f" {self.random.choice(WORDS)}"

        self._edit_case(line, edit)

    async def edit_expectation(self, line: Line) -> None:
        wanted: tuple[dict[str, object], ...] = (
            {"toolsCalled": ["find_order"]},
            {"toolsCalled": []},
            {},
            {"responseNonEmpty": True},
        )
        expected = self.random.choice(wanted)
        self._edit_case(line, lambda case: case.update(expect=expected))

    async def edit_hash(self, line: Line) -> None:
        path = self._one_of(self._suites())
        document = json.loads(path.read_text(encoding="utf-8"))
        digits = "".join(self.random.choices("0123456789abcdef", k=12))
        document.setdefault("metadata", {})["descriptionHash"] = digits
        self._save(line, path, json.dumps(document, indent=2))

    async def remove_case(self, line: Line) -> None:
        path = self._one_of(self._suites())
        document = json.loads(path.read_text(encoding="utf-8"))
        if len(document["cases"]) > 2:
            del document["cases"][self.random.randrange(len(document["cases"]))]
            self._save(line, path, json.dumps(document, indent=2))

    async def break_file(self, line: Line) -> None:
        path = self._one_of([*self._suites(), *sorted((self.root / "tools").rglob("*.tool.ts"))])
        text = path.read_text(encoding="utf-8")
        self._broken.setdefault(path, text)
        self._save(line, path, text[: self.random.randrange(len(text) * 2 // 3)])

    async def mend_files(self, line: Line) -> None:
        for path, text in self._broken.items():
            self._save(line, path, text)
        self._broken.clear()

    # --- keys and requests

    async def pin(self, line: Line) -> None:
        await line.driver.press("2")
        await self._anywhere(line)
        await line.driver.press("B", self.random.choice("psa"), self.random.choice("pa"))

    async def unpin(self, line: Line) -> None:
        await line.driver.press("2", "B", self.random.choice("uuU"))

    async def mute(self, line: Line) -> None:
        await line.driver.press("2")
        await self._anywhere(line)
        await line.driver.press("m", "x", "enter")

    async def accept(self, line: Line) -> None:
        await line.driver.press("2", "n", "u", "enter", "enter")

    async def undo(self, line: Line) -> None:
        for _ in range(self.random.randint(1, 3)):
            await line.driver.press("z")

    async def redo(self, line: Line) -> None:
        await line.driver.press("Z")

    async def rerun(self, line: Line) -> None:
        await line.driver.press("2")
        await self._anywhere(line)
        await line.driver.press(self.random.choice("raRfE"))

    async def filter(self, line: Line) -> None:
        line.driver.app.dashboard.controller.apply_filter(self.random.choice(("", *FILTERS)))
        await line.driver.settle()

    async def view(self, line: Line) -> None:
        await line.driver.press("2", "F", self.random.choice(VIEWS))

    async def sort(self, line: Line) -> None:
        await line.driver.press("2", "S", self.random.choice(ORDERS))

    async def suite(self, line: Line) -> None:
        await line.driver.press("1", *["j"] * self.random.randrange(4), "2")

    async def problems(self, line: Line) -> None:
        await line.driver.press("4", *["escape"] * self.random.randrange(2))

    async def move(self, line: Line) -> None:
        await line.driver.press(*self.random.choices(("j", "k", "G", "g", "h", "l", "n"), k=3))

    async def resize(self, line: Line) -> None:
        await line.driver.resize(*self.random.choice(SIZES))

    # --- parts

    def _suites(self) -> list[Path]:
        """The files of several cases; a scenario is one case of its own."""
        paths = sorted((self.root / "evals").glob("*.*.json"))
        scenario = ".scenario.json"
        return [p for p in paths if p not in self._broken and not p.name.endswith(scenario)]

    def _one_of(self, paths: list[Path]) -> Path:
        return self.random.choice([path for path in paths if path not in self._broken])

    def _edit_case(self, line: Line, edit: Callable[[dict], None]) -> None:  # type: ignore[type-arg]
        path = self._one_of(self._suites())
        document = json.loads(path.read_text(encoding="utf-8"))
        edit(self.random.choice(document["cases"]))
        self._save(line, path, json.dumps(document, indent=2))

    def _save(self, line: Line, path: Path, text: str) -> None:
        self.done[-1] += f" {path.name}"
        line.save(str(path.relative_to(self.root)), text)

    async def _anywhere(self, line: Line) -> None:
        """Put the cursor on some case that has a line."""
        keys = line.driver.app.dashboard.controller.layout.cases.arrangement.keys
        if keys:
            line.driver.app.dashboard.controller.layout.cases.go_to(self.random.choice(keys))
            await line.driver.settle()
