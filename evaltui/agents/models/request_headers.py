"""The headers of a model API's requests: the only place where a key is put into clear text."""

from collections.abc import Mapping

from evaltui.agents.models.dialect import Dialect
from evaltui.agents.models.model_options import ModelOptions
from evaltui.core.errors import AgentError, UserError
from evaltui.net.secret_mask import check_header_value

_FIXED = ("content-length", "transfer-encoding", "connection", "host")


def request_headers(dialect: Dialect, options: ModelOptions) -> Mapping[str, str]:
    """All headers, keys filled in and noted as secrets.

    Raises AgentError of category `auth` when one is missing: with the first request and not
    earlier, because recordings are replayed without any key.
    """
    try:
        return _headers(dialect, options)
    except UserError as error:
        raise AgentError(f"{error.what} {error.hint}".strip(), category="auth") from None


def _headers(dialect: Dialect, options: ModelOptions) -> dict[str, str]:
    headers = {
        "User-Agent": "evaltui",
        "Accept": "text/event-stream" if options.stream else "application/json",
        "Accept-Encoding": "identity",  # a packed stream comes in lumps
        "Content-Type": "application/json",
    }
    secrets = options.secrets
    template = options.api_key or f"${{{dialect.key_variable}:-}}"
    key = secrets.fill(template, "api_key", masks_literal=True)
    if not key and not options.api_key and options.is_default_url:
        raise UserError(
            "There is no API key.",
            f"Set `{dialect.key_variable}` in the environment or in .env.",
        )
    if key:
        check_header_value(key, "api_key")
        headers |= dialect.headers(key)
    elif options.target.authorization:
        headers["Authorization"] = options.target.authorization
    for name, value in secrets.headers(options.headers).items():
        for same in [own for own in headers if own.lower() == name.lower()]:
            del headers[same]
        if name.lower() not in _FIXED:
            headers[name] = value
    return headers
