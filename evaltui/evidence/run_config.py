"""What was run and in which environment: `run/config.json`."""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from evaltui.disk.git_objects import commit_of
from evaltui.disk.git_process import GIT, Git, GitError
from evaltui.evidence.judge_code import KEY, Code
from evaltui.files import is_file, read_file
from evaltui.traces.reading import VERSION
from evaltui.traces.typed_secrets import without_secrets
from evaltui.traces.wire import now

LOCK_FILES = ("poetry.lock", "requirements.txt", "pyproject.toml")
"""The first of them that there is pins the dependencies."""


class RunConfig(Struct, frozen=True):
    """What is told of a run; `None` is found out, or not known."""

    dataset_id: str
    judges: Sequence[str]
    run_id: str = ""
    agent_version: str = "unknown"
    model: str = "unknown"
    seed: int = 0
    judge_configs: Mapping[str, Any] = field(default_factory=dict)
    prompt_hash: str | None = None
    policy_hash: str | None = None
    container_image: str | None = None
    git_commit: str | None = None
    dependency_lock_hash: str | None = None
    execution_mode: str = "trace_score"
    execution_config: Mapping[str, Any] = field(default_factory=dict)
    is_agreed: bool = False
    """Whether git may be asked where it reads other files than its own; not written."""
    judge_code: Code = field(default_factory=dict)
    """Written only where there is any, as packs were before."""

    def document(self, folder: Path) -> dict[str, Any]:
        """With what is pinned of the machine and of `folder`, where the run takes place."""
        known = {name: getattr(self, name) for name in self.__struct_fields__}
        del known["is_agreed"]
        if not self.judge_code:
            del known[KEY]
        pinned = pins(folder, is_agreed=self.is_agreed)
        return {
            **known,
            "judge_configs": without_secrets(self.judge_configs),
            "run_id": self.run_id or new_run_id(),
            "git_commit": self.git_commit or pinned["git_commit"],
            "dependency_lock_hash": self.dependency_lock_hash or pinned["dependency_lock_hash"],
            "pinned_env": pinned,
            "schema_version": VERSION,
            "started_at": now(),
        }


def pins(folder: Path, *, is_agreed: bool = False) -> dict[str, Any]:
    """What may change a verdict from outside: interpreter, system, commit, locked dependencies."""
    return {
        "cwd": str(folder),
        "dependency_lock_hash": lock_hash(folder),
        "env": {"PATH_hash": sha256(os.environ.get("PATH", "").encode()).hexdigest()},
        "executable": sys.executable,
        "git_commit": git_commit(folder, is_agreed=is_agreed),
        "machine": platform.machine(),
        "platform": sys.platform,
        "platform_release": platform.release(),
        "processor": platform.processor(),
        "python_implementation": platform.python_implementation(),
        "python_version": platform.python_version(),
    }


def lock_hash(folder: Path) -> str | None:
    for name in LOCK_FILES:
        if is_file(folder / name):
            return sha256(read_file(folder / name)).hexdigest()
    return None


def git_commit(folder: Path, *, is_agreed: bool = False) -> str | None:
    """`None` outside of a repository, where git does not answer in time, and where it is not asked,
    as it would read other files and nobody agreed."""
    with suppress(GitError):
        return commit_of(folder, "HEAD", Git(GIT, is_agreed))
    return None


def new_run_id() -> str:
    """`run-YYYYMMDDHHMMSS-…` in UTC; its end tells apart runs of one second."""
    return f"run-{datetime.now(UTC):%Y%m%d%H%M%S}-{os.urandom(2).hex()}"
