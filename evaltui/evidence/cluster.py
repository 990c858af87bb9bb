"""`run --suite --cluster dask://…`: workers judge and write shards, merged here into one pack.

All machines see the same folders, and have the same evaltui.
"""

import asyncio
import shutil
from collections.abc import Mapping, Sequence
from os import urandom
from pathlib import Path
from typing import Any

from evaltui.core.errors import UserError
from evaltui.evidence.packs.merging import merge
from evaltui.evidence.packs.pack_folder import refuse_others
from evaltui.evidence.packs.shards import Shard
from evaltui.evidence.run_config import RunConfig, new_run_id
from evaltui.evidence.score_suite import Scored, score_suite
from evaltui.traces.reading import read_suite_file

SCHEME = "dask://"
SHARDS_PER_WORKER = 4
"""So many, so that workers that are done early take some from the others."""
CONNECT_S = 10.0


def score_on_cluster(
    address: str, suite: Path, out: Path, config: RunConfig, *, judges: Sequence[str], folder: Path
) -> Scored:
    """As `score_suite`; the shards lie beside `out` until they are merged.

    Raises UserError where there is no such cluster, and what a worker raises.
    """
    refuse_others(out)
    client = _client(address)
    place = (out.parent / f".{out.name}.{urandom(4).hex()}.shards").resolve()
    try:
        total = len(read_suite_file(suite))
        workers = len(client.scheduler_info()["workers"])
        if not workers:
            raise UserError(f"`{address}` has no workers.", "Start some: `dask worker ADDRESS`.")
        count = max(1, min(total, workers * SHARDS_PER_WORKER))
        if count == 1:
            read = read_suite_file(suite)
            return asyncio.run(score_suite(read, out, config, judges=judges, folder=folder))
        settings = {name: getattr(config, name) for name in config.__struct_fields__}
        settings["run_id"] = config.run_id or new_run_id()
        asked = (str(suite.resolve()), str(place), settings, tuple(judges), str(folder))
        parts = [(index, count) for index in range(1, count + 1)]
        place.mkdir(parents=True)
        # A key of its own each time: the scheduler would hand out what an earlier run came to.
        futures = client.map(lambda part: _score_part(*asked, *part), parts, pure=False)
        packs = [Path(one) for one in client.gather(futures)]
        return merge(packs, out, are_signed=False)
    finally:
        client.close()
        shutil.rmtree(place, ignore_errors=True)


def _score_part(
    suite: str,
    place: str,
    settings: Mapping[str, Any],
    judges: Sequence[str],
    folder: str,
    index: int,
    count: int,
) -> str:
    """On a worker: one shard, written to its folder below `place`."""
    out = Path(place, f"{index}")
    scoring = score_suite(
        read_suite_file(Path(suite)),
        out,
        RunConfig(**settings),
        judges=judges,
        folder=Path(folder),
        shard=Shard(index, count),
    )
    asyncio.run(scoring)
    return str(out)


def _client(address: str) -> Any:
    if not address.startswith(SCHEME):
        raise UserError(f"`{address}` is not a cluster.", f"E.g. --cluster {SCHEME}HOST:8786.")
    try:
        from distributed import Client
    except ImportError:
        what = "--cluster needs dask, which is not installed."
        raise UserError(what, "Install it: pip install 'evaltui[cluster]'.") from None
    connect: Any = Client
    try:
        return connect(f"tcp://{address.removeprefix(SCHEME)}", timeout=CONNECT_S)
    except (OSError, TimeoutError, ValueError) as error:
        what = f"`{address}` cannot be reached: {str(error) or type(error).__name__}"
        raise UserError(f"{what.rstrip('.')}.", "Start it: `dask scheduler`.") from error
