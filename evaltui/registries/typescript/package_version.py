"""Which major version of a package is meant, by its import or the range in package.json."""

import re
from collections.abc import Mapping

_IN_IMPORT = re.compile(r"/v(\d+)(?:[-/]|$)")
_NUMBER = re.compile(r"(>=?|<=?)?\s*(?<![\w.-])v?(\d+)(?=[.\s-]|$)")
_KINDS = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
NEWEST_ZOD = 4


def version_in_import(specifier: str) -> int:
    """The version that the import of zod names (`zod/v3`, `zod/v4-mini`, `zod/mini`), else 0."""
    if found := _IN_IMPORT.search(specifier):
        return int(found[1])
    return NEWEST_ZOD if specifier == "zod/mini" else 0


def version_in_package(package: Mapping[str, object], name: str) -> int:
    """The highest major version that a package.json lets `name` have; 0 when it names none."""
    if package.get("name") == name and isinstance(own := package.get("version"), str):
        return _highest(own)
    listed = (kind for key in _KINDS if isinstance(kind := package.get(key), Mapping))
    ranges = (found for kind in listed if isinstance(found := kind.get(name), str))
    return next((version for found in ranges if (version := _highest(found))), 0)


def _highest(written: str) -> int:
    """Of a range such as `^3.25 || ^4.0`, `npm:zod@3`; what has no upper limit ends with today."""
    found = [_NUMBER.findall(choice.rpartition("@")[2]) for choice in written.split("||")]
    versions = [int(choice[0][1]) for choice in found if choice]
    is_open = any(len(choice) == 1 and choice[0][0].startswith(">") for choice in found)
    return max([*versions, *([NEWEST_ZOD] if is_open and versions else [])], default=0)
