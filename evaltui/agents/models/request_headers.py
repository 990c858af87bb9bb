"""The headers of a model API's requests: the only place where a key is put into clear text."""

from collections.abc import Mapping

from evaltui.agents.models.dialect import Dialect
from evaltui.agents.models.model_options import ModelOptions
from evaltui.core.errors import AgentError, UserError
from evaltui.net.target import is_secret_name

_FIXED = ("content-length", "transfer-encoding", "connection", "host")


def request_headers(
    dialect: Dialect, options: ModelOptions, sources: Mapping[str, str]
) -> Mapping[str, str]:
    """All headers, keys filled in and noted as secrets.

    Raises AgentError of category `auth` when one is missing: with the first request and not
    earlier, because recordings are replayed without any key.
    """
    try:
        return _headers(dialect, options, sources)
    except UserError as error:
        raise AgentError(f"{error.what} {error.hint}".strip(), category="auth") from None


def _headers(dialect: Dialect, options: ModelOptions, sources: Mapping[str, str]) -> dict[str, str]:
    headers = {
        "User-Agent": "evaltui",
        "Accept": "text/event-stream" if options.stream else "application/json",
        "Content-Type": "application/json",
    }
    secrets = options.secrets
    key = secrets.fill(options.api_key, sources, "api_key") if options.api_key else ""
    if not options.api_key:
        key = sources.get(dialect.key_variable, "")
        if not key and options.is_default_url:
            raise UserError(
                "There is no API key.",
                f"Set `{dialect.key_variable}` in the environment or in .env.",
            )
    secrets.add(key, "api_key")
    if key:
        headers |= dialect.headers(key)
    elif options.target.authorization:
        headers["Authorization"] = options.target.authorization
    for name, template in options.headers.items():
        value = secrets.fill(template, sources, f"headers.{name}").strip()
        if is_secret_name(name):
            secrets.add(value, name)
            secrets.add(value.rpartition(" ")[2], name)
        for same in [own for own in headers if own.lower() == name.lower()]:
            del headers[same]
        if name.lower() not in _FIXED:
            headers[name] = value
    for name, value in headers.items():
        bad_name = not name or not all(c.isalnum() or c in "!#$%&'*+-.^_`|~" for c in name)
        if bad_name or any(ord(c) < 32 or ord(c) == 127 or ord(c) > 255 for c in value):
            raise UserError(
                f"The header `{name}` holds a character that no header may hold.",
                "Check the value of its variable; it is not shown here.",
            )
    return headers
