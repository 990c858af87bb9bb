"""How a key is spelled: `like_this` in TOML, `likeThis` in JSON."""


def camel_case(name: str) -> str:
    """`seed_manifest_path` → `seedManifestPath`."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


def snake_case(name: str) -> str:
    """The reverse, and a name in snake case as it is."""
    return "".join(f"_{sign.lower()}" if sign.isupper() else sign for sign in name)
