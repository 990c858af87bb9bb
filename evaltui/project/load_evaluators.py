"""Loads a project's evaluators for a program outside it."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from msgspec import structs

from evaltui.core.config import Config
from evaltui.core.errors import Severity, UserError
from evaltui.evaluators.kit.evaltui import EvaluatorContext, EvaluatorDefinition
from evaltui.evaluators.loading import EvaluatorLoader
from evaltui.evaluators.registry import EvaluatorRegistry
from evaltui.project import gate
from evaltui.project.trust import evaluator_grants, permit_of, refusal
from evaltui.settings.load import load_config


async def load_evaluators(
    registry: EvaluatorRegistry, config_path: str | Path, *, trust: bool = False
) -> EvaluatorLoader:
    """Register what the setting `evaluators` of a settings file names.

    Loading one runs it, in a process of its own: without `trust` the project has to be agreed to.
    They judge in such processes, until what comes back is closed. Raises UserError for the first
    thing that is wrong; the registry is then as it was.
    """
    config = await asyncio.to_thread(_config, Path(config_path))
    config = structs.replace(config, is_trusted=trust or config.is_trusted)
    return await load_named(registry, config)


async def load_named(registry: EvaluatorRegistry, config: Config) -> EvaluatorLoader:
    """The same of settings that are read. Raises UserError, also where nobody agreed to them."""
    if missing := permit_of(config).missing(evaluator_grants(config)):
        raise refusal(missing)
    loader = gate.evaluator_loader(config)
    loaded = await asyncio.to_thread(gate.load_evaluators, config, loader)
    try:
        for _, problem in loaded.problems:
            if problem.severity is Severity.ERROR:
                raise UserError(problem.what, problem.hint)
        own = [one for one in loaded.registry if not one.is_built_in]
        for one in own:
            if registry.get(one.definition.type) is not None:
                registry.register(one.definition, origin=one.origin)  # raises what is to be said
        for one in own:
            judging = _awaiting(one.definition)
            registry.register(judging, origin=one.origin, fingerprint=one.fingerprint)
    except UserError:
        await loader.close()
        raise
    return loader


def _awaiting(definition: EvaluatorDefinition) -> EvaluatorDefinition:
    """The same with a coroutine, which is asked on the loop of whoever awaits it."""

    async def evaluate(context: EvaluatorContext) -> Any:
        return await definition.evaluate(context)

    return replace(definition, evaluate=evaluate)


def _config(path: Path) -> Config:
    path = path.resolve()
    read = load_config(path.parent, {"config": str(path)})
    errors = tuple(one for one in read.problems if one.severity is Severity.ERROR)
    if errors:
        raise UserError("The settings have mistakes.", "Correct them and try again.", errors)
    return read.config
