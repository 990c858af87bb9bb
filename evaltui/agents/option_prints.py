"""An agent's options as fingerprints."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from evaltui.core.config import shaping
from evaltui.core.json_value import Json
from evaltui.core.tool import short_hash


class OptionPrints(NamedTuple):
    fingerprint: str
    """Of those that shape answers."""
    former: str
    """Of all of them, as results have it that were made when all counted; empty where it is the
    same."""


def option_prints(type_: str, options: Mapping[str, Json], *more: str) -> OptionPrints:
    """`more`: what makes it another agent besides, as the contents of its files."""

    def made_of(these: Mapping[str, Json]) -> str:
        text = json.dumps([type_, these], sort_keys=True, default=dict)
        return short_hash("\n".join((text, *more)))

    now, former = made_of(shaping(options)), made_of(options)
    return OptionPrints(now, "" if now == former else former)
