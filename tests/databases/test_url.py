"""URLs: read back what was written, and keep secrets."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.databases.url import DatabaseURL, parse_url
from dragoman.errors import SetupError

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=30)


@given(user=TEXT, password=TEXT, database=TEXT, port=st.integers(1, 65535))
def test_every_part_is_read_back(user: str, password: str, database: str, port: int) -> None:
    login, name = f"{quote(user, safe='')}:{quote(password, safe='')}", quote(database, safe="")
    url = parse_url(f"postgresql://{login}@db.example:{port}/{name}")
    assert (url.user, url.password, url.database) == (user, password, database)
    assert (url.host, url.port) == ("db.example", str(port))


@given(password=st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=6, max_size=20))
def test_no_secret_is_shown(password: str) -> None:
    url = DatabaseURL("mysql", "me", password, "host", "1", "db", {"sslpassword": password, "note": "x"})
    assert repr(url) == repr(DatabaseURL("mysql", "me", "another", "host", "1", "db"))
    assert str(url) == "mysql://me:***@host:1/db"
    for spelling in (password, quote(password, safe=""), quote(password)):
        assert url.redact(f"<{spelling}> failed") == "<***> failed"


def test_forms_that_people_write() -> None:
    url = parse_url("postgresql://me:p@ss:w%25rd@[::1]:5433/shop?sslmode=require&application_name=a%20b")
    assert (url.user, url.password, url.host, url.port) == ("me", "p@ss:w%rd", "::1", "5433")
    assert dict(url.options) == {"sslmode": "require", "application_name": "a b"}
    several = parse_url("postgresql://a:1,b:2/db")
    assert (several.host, several.port) == ("a,b", "1,2")
    assert parse_url("postgresql:///db").host == ""
    assert parse_url("MySQL+pymysql://h").scheme == "mysql+pymysql"


@pytest.mark.parametrize(
    "text", ["secret", "postgresql://me:secret@host:port/db", "postgresql//me:secret@host", "://secret"]
)
def test_what_is_no_url_is_not_repeated(text: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_url(text)
    assert "secret" not in str(caught.value)
