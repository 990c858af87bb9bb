"""The options of an agent that is a model behind an API, checked before the first request."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from evaltui.agents.models.prices import Price
from evaltui.agents.profiles.models import AnthropicProfile, OpenAiProfile
from evaltui.agents.profiles.reading import read_profile
from evaltui.core.config import shaping as shaping_of
from evaltui.core.errors import UserError
from evaltui.core.json_value import Json
from evaltui.files import is_file, read_text
from evaltui.net.secret_mask import SecretResolver
from evaltui.net.target import Target, parse_target


class ModelOptions(Struct, frozen=True):
    """Checked options; the templates of key and headers are filled in with the first request."""

    __repr__ = object.__repr__  # the fields may hold secrets

    model: str
    written_model: str
    """As the profile has it, with the names of variables: what the agent is called."""
    target: Target
    is_default_url: bool
    key_template: str
    """What the key is filled in from: that of the profile, or at the provider's own address the
    usual variable; empty where none is sent."""
    has_own_key: bool
    """Whether the profile says which."""
    headers: Mapping[str, str]
    system: str
    temperature: float | None
    seed: int | None
    max_tokens: int | None
    has_completion_limit: bool
    """Whether the limit was written as `max_completion_tokens`, which not every server knows."""
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
    profile: type[AnthropicProfile],
    type_: str,
    options: Mapping[str, Json],
    *,
    default_url: str,
    root: Path,
    secrets: SecretResolver,
) -> ModelOptions:
    """Raises UserError naming the option and what to write instead."""
    written = read_profile(profile, type_, options)
    url = (written.base_url or "").rstrip("/") or default_url
    target = parse_target(secrets.fill(url, "base_url").rstrip("/"))
    secrets.mask.add_credentials(target)
    secrets.note_body(written.extra)
    api_key = written.api_key or ""
    if api_key.startswith("sk-"):
        raise UserError(
            "`api_key` holds a key.", 'Put the key into .env and write api_key = "${NAME}".'
        )
    limit = written.max_completion_tokens if isinstance(written, OpenAiProfile) else None
    if limit is not None and written.max_tokens is not None:
        raise UserError(
            "`max_tokens` and `max_completion_tokens` are both given.", "Leave one of them out."
        )
    system, files = _system(written, root)
    shaping: dict[str, Json] = {"type": type_}
    shaping |= shaping_of(options, is_model=True)
    if shaping.pop("system_file", None) is not None:
        shaping["system"] = system
    price = written.price
    return ModelOptions(
        model=secrets.fill(written.model, "model"),
        written_model=written.model,
        target=target,
        is_default_url=url == default_url,
        key_template=written.key_template,
        has_own_key=bool(api_key),
        headers=written.headers,
        system=system,
        temperature=written.temperature,
        seed=written.seed if isinstance(written, OpenAiProfile) else None,
        max_tokens=written.max_tokens if limit is None else limit,
        has_completion_limit=limit is not None,
        top_p=written.top_p,
        stream=written.stream,
        extra=secrets.filled_table(written.extra, "extra"),
        tool_choice=written.tool_choice,
        timeout_s=written.timeout,
        retries=written.retries,
        price=None if price is None else Price(price.input, price.output, price.cached_input),
        is_free=target.is_local and price is None if written.is_free is None else written.is_free,
        trust_env=written.trust_env,
        secrets=secrets,
        shaping=shaping,
        files=files,
    )


def _system(written: AnthropicProfile, root: Path) -> tuple[str, tuple[Path, ...]]:
    text, name = written.system, written.system_file
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
    return is_file(root / text)
