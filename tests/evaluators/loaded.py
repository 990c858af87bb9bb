"""Evaluators in files, loaded and asked as a project does."""

from collections.abc import AsyncIterator, Container, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from evaltui.core.config import EvaluatorSource
from evaltui.core.permit import EVERYTHING
from evaltui.evaluators.loaded_evaluators import LoadedEvaluators
from evaltui.evaluators.loading import EvaluatorLoader
from evaltui.evaluators.plugin_entry import PluginEntry


def source(written: str | Mapping[str, Any]) -> EvaluatorSource:
    return EvaluatorSource(written) if isinstance(written, str) else EvaluatorSource(**written)


def load(
    root: Path,
    *entries: str | Mapping[str, Any],
    loader: EvaluatorLoader | None = None,
    kept: Container[str] | None = None,
) -> LoadedEvaluators:
    made = [PluginEntry(source(entry), root) for entry in entries]
    loader = loader or EvaluatorLoader()
    loader.permit = EVERYTHING
    return loader.load(made, kept)


@asynccontextmanager
async def loading() -> AsyncIterator[EvaluatorLoader]:
    loader = EvaluatorLoader()
    yield loader
    await loader.close()


def write(root: Path, name: str, text: str) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def evaluator(body: str, type_: str = "mine", **options: Any) -> str:
    """A file with one evaluator of that body."""
    given = "".join(f", {name}={value!r}" for name, value in options.items())
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return (
        "from evaltui import define_evaluator, passed, failed, measured, skipped\n"
        f"@define_evaluator({type_!r}, label='Mine'{given})\n"
        f"def {type_}(ctx):\n{lines}\n"
    )
