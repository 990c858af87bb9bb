"""The options of an agent that is a model behind an API, checked before the first request."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from evaltui.agents.models.prices import Price
from evaltui.agents.option_reader import OptionReader
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.files import read_text
from evaltui.net.secret_mask import SecretResolver
from evaltui.net.target import Target, parse_target

KNOWN = (
    "model", "base_url", "api_key", "headers", "system", "system_file", "temperature", "seed",
    "max_tokens", "top_p", "stream", "extra", "tool_choice", "timeout", "retries", "price",
    "is_free", "trust_env",
)  # fmt: skip
_NOT_ANSWERS = ("api_key", "stream", "timeout", "retries", "price", "is_free", "trust_env")
"""Options that change how an answer is got, never what it says."""


class ModelOptions(Struct, frozen=True):
    """Checked options; `api_key` and `headers` are templates, filled in with the first request."""

    __repr__ = object.__repr__  # the fields may hold secrets

    model: str
    target: Target
    is_default_url: bool
    api_key: str
    headers: Mapping[str, str]
    system: str
    temperature: float | None
    seed: int | None
    max_tokens: int | None
    top_p: float | None
    stream: bool
    extra: Mapping[str, Json]
    tool_choice: Json
    timeout_s: float | None
    retries: int | None
    price: Price | None
    is_free: bool
    trust_env: bool
    secrets: SecretResolver
    shaping: Mapping[str, Json]
    """The options that shape answers, as written, with the system prompt's text."""
    files: tuple[Path, ...] = ()
    """Files that the options name."""


def read_model_options(
    type_: str,
    options: Mapping[str, Json],
    *,
    default_url: str,
    root: Path,
    secrets: SecretResolver,
) -> ModelOptions:
    """Raises UserError naming the option and what to write instead."""
    reader = OptionReader(type_, options, KNOWN)
    model = reader.text("model")
    if not model:
        raise UserError(f"Agents of type `{type_}` need a `model`.", 'E.g. model = "NAME".')
    url = reader.text("base_url").rstrip("/") or default_url
    target = parse_target(secrets.fill(url, "base_url").rstrip("/"))
    secrets.mask.add_credentials(target)
    api_key = reader.text("api_key")
    if api_key.startswith("sk-"):
        raise UserError(
            "`api_key` holds a key.", 'Put the key into .env and write api_key = "${NAME}".'
        )
    system, files = _system(reader, root)
    shaping: dict[str, Json] = {"type": type_}
    shaping |= {key: value for key, value in options.items() if key not in _NOT_ANSWERS}
    if shaping.pop("system_file", None) is not None:
        shaping["system"] = system
    return ModelOptions(
        model=model,
        target=target,
        is_default_url=url == default_url,
        api_key=api_key,
        headers=reader.texts("headers"),
        system=system,
        temperature=reader.number("temperature", 0),
        seed=reader.whole("seed"),
        max_tokens=reader.whole("max_tokens", 1),
        top_p=reader.number("top_p", 0),
        stream=reader.flag("stream", True),
        extra=reader.table("extra"),
        tool_choice=_tool_choice(options.get("tool_choice")),
        timeout_s=reader.number("timeout", 0.001),
        retries=reader.whole("retries", 0),
        price=_price(reader),
        is_free=reader.flag("is_free", target.is_local and "price" not in options),
        trust_env=reader.flag("trust_env", False),
        secrets=secrets,
        shaping=shaping,
        files=files,
    )


def _system(reader: OptionReader, root: Path) -> tuple[str, tuple[Path, ...]]:
    text, name = reader.text("system"), reader.text("system_file")
    if not name:
        if _is_file(root, text):
            raise UserError(
                f"`system` is `{text}`, the path of a file.", f'Write system_file = "{text}".'
            )
        return text, ()
    if text:
        raise UserError("`system` and `system_file` are both given.", "Leave one of them out.")
    path = root / name
    try:
        return read_text(path), (path,)
    except (OSError, UnicodeDecodeError) as error:
        why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else "cannot be read"
        raise UserError(
            f"`system_file` is `{name}`, which {why}.", "Paths start at the project root."
        ) from None


def _is_file(root: Path, text: str) -> bool:
    """Sent as it is, a path would be a strange system prompt."""
    if not text or "\n" in text or len(text) > 200:
        return False
    try:
        return (root / text).is_file()
    except (OSError, ValueError):
        return False


def _tool_choice(choice: Json) -> Json:
    if choice is None or (isinstance(choice, str) and choice) or isinstance(choice, Mapping):
        return choice
    raise UserError("`tool_choice` must be text.", "Use auto, none, required or a tool's name.")


def _price(reader: OptionReader) -> Price | None:
    table = reader.table("price")
    if not table:
        return None
    inner = OptionReader("price", table, ("input", "output"))
    price_in, price_out = inner.number("input", 0), inner.number("output", 0)
    if price_in is None or price_out is None:
        raise UserError(
            "`price` needs `input` and `output`, in US dollars for a million tokens.",
            "E.g. price = { input = 0.15, output = 0.6 }.",
        )
    return Price(price_in, price_out)
