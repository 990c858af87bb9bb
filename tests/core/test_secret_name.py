"""What is called like a secret is taken for one, and what only sounds so is not."""

import pytest

from evaltui.core.secret_name import is_secret_name


@pytest.mark.parametrize(
    "name",
    [
        "apiKey", "api_key", "X-Api-Key", "secretKey", "private_key", "accessKeyId", "key",
        "authCode", "code", "session_id", "PASSWORD", "db_pw", "clientSecret", "partitionKeySecret",
        "primary_api_key",
    ],
)  # fmt: skip
def test_it_is_one(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "partitionKey", "partition_key", "primaryKey", "primary-key", "PrimaryKeys", "foreign_key",
        "sortKey", "issueKey", "routing.key", "publicKey", "keyword", "max_tokens", "author",
        "countryCode", "postal_code", "encode", "PWD",
    ],
)  # fmt: skip
def test_it_is_none(name: str) -> None:
    assert not is_secret_name(name)
