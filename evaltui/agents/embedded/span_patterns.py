"""The one regular expression that finds typed spans; an earlier alternative wins."""

import re

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?"
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_UNTIL_YEAR = r"(?:,?\s+(?:of\s+|in\s+|this\s+year,?\s+)?(?:19|20)\d\d)"
UNITS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90, "hundred": 100, "dozen": 12,
}  # fmt: skip
_NUMBER_WORD = "|".join(UNITS)
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w'’&.+-]*(?<![.'’-])(?:(?<=\b[A-Z])\.|(?<=\b[A-Z][a-z])\.(?=\s[A-Z]))?"
_STREET = (
    "(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Way|Court|Ct|Square|Sq"
    "|Place|Plaza|Parkway|Pkwy|Terrace|Highway|Hwy|Circle)"
)

SPANS = re.compile(
    rf"""
  (?P<url>(?:https?|ftp)://[^\s'"<>)\]]*[^\s'"<>)\].,;:?!]|\bwww\.[\w-]+\.[^\s'"<>),]+)
| (?P<email>(?<![\w.+-])[\w.+-]{{1,64}}@[\w-]+(?:\.[\w-]+)+)
| (?P<quoted>"[^"\n]{{1,400}}"|“[^”\n]{{1,400}}”|‘[^’\n]{{1,400}}’|`[^`\n]{{1,400}}`
    |(?<![\w'])'(?:[^'\n]|(?<=\w)'(?=\w)){{1,400}}'(?!\w))
| (?P<list>\[[^\[\]\n]{{0,400}}(?:\[[^\[\]\n]{{0,200}}\][^\[\]\n]{{0,80}}){{0,20}}\]
    |\(\s*-?\d[\d.]*(?:\s*,\s*-?\d[\d.]*)+\s*\))
| (?P<date>\b(?:(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])(?:T[\d:.]+Z?)?\b
    |\b\d{{1,2}}[-/.]\d{{1,2}}[-/.](?:19|20)?\d\d\b
    |(?i:\b{_MONTH}\.?\s+{_DAY}\b{_UNTIL_YEAR}?)
    |(?i:\b{_DAY}\s+(?:of\s+)?(?:this\s+)?{_MONTH}\b(?:\.|\b){_UNTIL_YEAR}?)
    |(?i:\b{_MONTH}\.?,?\s+(?:of\s+)?(?:19|20)\d\d\b)))
| (?P<relative>(?i:\b(?:today|tomorrow|yesterday|tonight|day\s+after\s+tomorrow
    |(?:next|this|last|coming|upcoming)\s+(?:week(?:end)?|month|year|{_WEEKDAY})|{_WEEKDAY})\b))
| (?P<time>(?i:\b(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\s*[ap]\.?m\b\.?)?
    |\b(?:1[0-2]|0?[1-9])\s*[ap]\.?m\b\.?|\bnoon\b|\bmidnight\b|\bo'clock\b))
| (?P<address>\b\d+[A-Z]?\s+(?:[A-Z][\w'-]*\s+){{1,4}}{_STREET}\b\.?
    (?:,\s+(?:[A-Z][\w'-]*)(?:\s+[A-Z][\w'-]*){{0,3}}){{0,3}}(?:\s+\d{{5}}\b)?)
| (?P<path>(?<![\w/])(?:~|\.{{1,2}})?/[\w.-]+(?:/[\w.*-]*)*|\b[A-Za-z]:\\[^\s'",]+
    |\b[\w-]{{1,60}}(?:[/.][\w-]{{1,60}}){{0,9}}\.(?:txt|csv|json|pdf|py|js|ts|md|xlsx?|docx?|png|jpe?g|gif|xml|html?
      |ya?ml|zip|log|mp[34]|wav|sql|sh|ipynb|pptx?|conf|cfg|ini|toml|tar|gz)\b)
| (?P<expression>(?<![\w.])(?:[-(]?\s?\d{{0,12}}\.?\d{{0,12}}\s?\*?\s?[a-z](?:\([a-z]\))?\s?
    (?:\^|\*\*)\s?\(?-?[\d.]+\)?
    |\d+[a-z]\s[-+]\s\d+)(?:\s?[-+*/]\s?\(?[\d.]*\s?\*?\s?[a-z]?(?:(?:\^|\*\*)\(?[\d.]+\)?)?\)?
      (?=[\s,.?!;)]|$|\s?[-+*/]))*)
| (?P<id>\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])
    (?!\d+(?:st|nd|rd|th|k|m|cm|mm|km|kg|g|s|h|x|d|c|f|b|gb|mb|ml|l
      |lbs?|ft|in|mph|kmh|hz|khz|mhz|ghz|v|w|kw|a|n|j|pa|mol|hr|hrs|min|mins|sec|secs|ms|bn|yr|yrs|oz|pm|am
      |usd|eur|gbp|°?[cfk])\b)[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*\b)
| (?P<number>(?<![\w.])[-−]?[$€£¥]?(?:\d{{1,3}}(?:,\d{{3}})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?
    (?:\s?(?:%|percent\b|(?i:thousand|million|billion|trillion|bn)|k\b(?!\w)))?
  |(?<![\w.])[-−]?\.\d+
  |(?i:\b(?:{_NUMBER_WORD})(?:[-\s]+(?:{_NUMBER_WORD}|thousand|million|billion))*\b))
| (?P<name>\b{_CAPITAL}(?:\s+(?:{_CAPITAL}
    |(?:of|the|de|da|del|la|le|van|von|and\s+the|of\s+the|&)\s+{_CAPITAL}
    |(?!(?:19|20)\d\d\b)\d+\b(?![.,:/]\d)))*(?:,\s(?:[A-Z]{{2}}\b|D\.C\.|USA?\b|UK\b))?(?:,\s(?:USA?|UK|Canada)\b)?)
""",
    re.VERBOSE,
)
