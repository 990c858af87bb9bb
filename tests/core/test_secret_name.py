"""What is called like a secret is taken for one, and what only sounds so is not."""

import pytest

from evaltui.core.secret_name import is_credential_name, is_secret_name


@pytest.mark.parametrize(
    "name",
    [
        "apiKey", "api_key", "X-Api-Key", "secretKey", "private_key", "accessKeyId", "key",
        "authCode", "code", "session_id", "PASSWORD", "db_pw", "clientSecret", "partitionKeySecret",
        "primary_api_key", "GH_PAT", "STRIPE_SK", "SENTRY_DSN", "DB_PASSWD", "dbPassword", "dbpass",
        "PGPASSWORD", "CREDENTIALS", "creds", "PASSPHRASE", "KEY1", "APIKEY", "OPENAI_KEY_2",
        "oauth2", "Authorization", "authenticationToken", "AWSAccessKeyId", "X-Amz-Signature",
        "Set-Cookie", "JWT", "BEARER", "accesskeyid", "githubtoken", "keystore", "backup_codes",
        "tokencode", "TOKEN_LIMIT_SECRET", "MODE_TOKEN", "RATE_LIMIT_KEY", "DB_PWD", "db-pwd",
        "--api-key", "pwd", "sign",
    ],
)  # fmt: skip
def test_it_is_one(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "partitionKey", "partition_key", "primaryKey", "primary-key", "PrimaryKeys", "foreign_key",
        "sortKey", "issueKey", "routing.key", "publicKey", "keyword", "max_tokens", "author",
        "countryCode", "postal_code", "encode", "urldecode", "PWD", "OLDPWD", "", "-",
        "TOKENIZER", "KEYSPACE", "SECRETARY", "BYPASS", "COMPASS", "TURKEY", "AUTHORITY", "PASSIVE",
        "passed", "INSIGHTS", "CREDIT", "sigma", "signal", "hotkey", "CACHE_KEY", "PROMPT_KEY",
        "Idempotency-Key", "TOKEN_LIMIT", "TOKEN_BUDGET", "PASS_RATE", "AUTH_MODE", "PWD_MODE",
        "tokenType", "sessionTimeout", "KEY_LENGTH",
    ],
)  # fmt: skip
def test_it_is_none(name: str) -> None:
    assert not is_secret_name(name)


def test_what_many_environments_have_is_no_credential_and_neither_is_a_word_that_sounds_so() -> (
    None
):
    assert all(map(is_credential_name, ("OPENAI_API_KEY", "NPM_TOKEN", "PGPASSWORD")))
    assert not any(map(is_credential_name, ("SESSION", "SSH_ASKPASS", "TOKENIZER", "MAX_TOKENS")))
