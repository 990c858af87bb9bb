"""The list of what is pinned: `pins.json`, one pin a line."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from evaltui.core.errors import Problem, UserError
from evaltui.disk.codec import encode, parse
from evaltui.disk.result_file import read_suite_result
from evaltui.files import read_file

DEFAULT = "default"
PINS = "pins.json"
_FORMAT = "evaltui-pins/1"


class Pin(Struct, frozen=True):
    """One suite's baseline; `file` is below the baselines folder."""

    agent: str
    name: str
    suite: str
    run_id: str
    file: str
    pinned_at: float = 0.0
    endpoint: str = ""
    """What answered: an embedded agent is never compared with a real model."""


def read_pins(folder: Path) -> tuple[list[Pin], tuple[Problem, ...]]:
    """The pins of a baselines folder, and what is wrong with their list.

    A list that is missing or damaged is made anew from the copies that stand beside it.
    """
    path = folder / PINS
    try:
        return _pins_of(parse(read_file(path))), ()
    except FileNotFoundError:
        return _pins_of_copies(folder), ()
    except (OSError, ValueError) as error:
        problem = Problem(
            str(path),
            f"the pinned baselines cannot be read: {error}",
            "They were found again by their copies; pin anything to write the list anew.",
            code="baseline-unreadable",
        )
        return _pins_of_copies(folder), (problem,)


def encode_pins(pins: Iterable[Pin]) -> bytes:
    """One pin a line, sorted, so that two branches merge."""
    lines = [
        encode(
            {
                "agent": pin.agent,
                "name": pin.name,
                "suite": pin.suite,
                "runId": pin.run_id,
                "file": pin.file,
                "pinnedAt": pin.pinned_at,
                "agentEndpoint": pin.endpoint,
            }
        )
        for pin in sorted(pins, key=lambda pin: (pin.agent, pin.name, pin.suite))
    ]
    body = b"".join(b"\n    " + line + (b"," if line is not lines[-1] else b"") for line in lines)
    end = b"\n  ]\n}\n" if lines else b"]\n}\n"
    return b'{\n  "format": ' + encode(_FORMAT) + b',\n  "pins": [' + body + end


def _pins_of(value: Any) -> list[Pin]:
    """Raises ValueError. Paths that lead out of the folder are refused."""
    if not isinstance(value, dict) or not isinstance(value.get("pins"), list):
        raise ValueError("no object with `pins` in it")
    found: list[Pin] = []
    for entry in value["pins"]:
        try:
            pin = Pin(
                agent=str(entry["agent"]),
                name=str(entry["name"]),
                suite=str(entry["suite"]),
                run_id=str(entry["runId"]),
                file=str(entry["file"]),
                pinned_at=float(entry.get("pinnedAt") or 0.0),
                endpoint=str(entry.get("agentEndpoint") or ""),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"a pin without {error}") from error
        if Path(pin.file).is_absolute() or ".." in Path(pin.file).parts:
            raise ValueError(f"`{pin.file}` is outside the folder")
        found.append(pin)
    return found


def _pins_of_copies(folder: Path) -> list[Pin]:
    found: list[Pin] = []
    for path in sorted(folder.glob("*/*/*.json")):
        with suppress(UserError):
            result = read_suite_result(path, brief=True)
            if result.suite and result.agent:
                file = path.relative_to(folder).as_posix()
                found.append(
                    Pin(
                        result.agent, path.parent.parent.name, result.suite, result.run_id, file,
                        0.0, result.endpoint,
                    )
                )  # fmt: skip
    return found
