"""What kind of value a parameter asks for, judged by its name, description and format."""

from enum import StrEnum

from evaltui.agents.embedded.text import stem


class Want(StrEnum):
    """The kinds of value a text parameter may ask for; `ANY` when nothing tells."""

    DATE = "date"
    TIME = "time"
    EMAIL = "email"
    URL = "url"
    PATH = "path"
    ID = "id"
    PHONE = "phone"
    PLACE = "place"
    PERSON = "person"
    TITLE = "title"
    TEXT = "text"
    EXPRESSION = "expression"
    YEAR = "year"
    RATE = "rate"
    ANY = "any"


def _cues(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in text.split())


_BY_FORMAT = {
    "date": Want.DATE,
    "date-time": Want.DATE,
    "time": Want.TIME,
    "email": Want.EMAIL,
    "uri": Want.URL,
    "url": Want.URL,
    "uuid": Want.ID,
}
_TEXT_CUES: tuple[tuple[Want, frozenset[str], frozenset[str]], ...] = (
    (Want.EMAIL, _cues("email mail recipient"), _cues("email")),
    (Want.URL, _cues("url uri link website endpoint webpage"), _cues("url uri")),
    (Want.PATH, _cues("path file filename directory folder filepath"), _cues("directory filename")),
    (Want.DATE, _cues("date day birthday deadline dob checkin checkout"), _cues("yyyy dd date")),
    (Want.TIME, _cues("time hour clock"), _cues("hh")),
    (Want.PHONE, _cues("phone mobile telephone"), _cues("phone")),
    (
        Want.ID,
        _cues("id code uuid sku identifier ticket isbn mpn zip zipcode postal symbol"),
        _cues("identifier"),
    ),
    (
        Want.EXPRESSION,
        _cues("expression equation function formula polynomial"),
        _cues("expression equation"),
    ),
    (
        Want.PLACE,
        _cues(
            "city location place address country state destination origin region town venue area"
            " airport station source loc where"
        ),
        _cues("city country location airport"),
    ),
    (
        Want.PERSON,
        _cues("artist author director actor actress player person passenger composer singer"),
        _cues("person author"),
    ),
    (
        Want.TITLE,
        _cues("name title team company brand movie song album book theater"),
        _cues("name title"),
    ),
    (
        Want.TEXT,
        _cues("text message query content question prompt sentence body comment note command"),
        _cues("text message sentence"),
    ),
)  # fmt: skip
_YEAR = _cues("year yr")
_RATE = _cues("rate percent percentage interest probability ratio fraction discount tax confidence")


def wanted(type_: str, format_: str, name: tuple[str, ...], description: frozenset[str]) -> Want:
    """The kind asked for; a later word of the name outweighs an earlier one (`city_name`)."""
    if format_ in _BY_FORMAT:
        return _BY_FORMAT[format_]
    names = frozenset(name)
    if type_ in {"integer", "number"}:
        if names & _YEAR and "num" not in names and len(names) == 1:
            return Want.YEAR
        return Want.RATE if (names | description) & _RATE and type_ == "number" else Want.ANY
    if names & _YEAR and len(names) == 1:
        return Want.YEAR
    for want, in_name, _ in _TEXT_CUES:
        if names & in_name:
            return want
    for want, _, in_description in _TEXT_CUES:
        if description & in_description:
            return want
    return Want.ANY
