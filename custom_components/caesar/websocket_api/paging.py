"""What all requests for pages have in common."""

from datetime import datetime
from typing import Final

from homeassistant.util import dt as dt_util
import voluptuous as vol

from .command import NUMBER, Schema

_MAX_PAGE = 1000
_MAX_TEXT = 200


def _moment(text: str) -> datetime:
    moment = dt_util.parse_datetime(text)
    if moment is None or moment.tzinfo is None:
        raise vol.Invalid("expected a moment with a time zone")
    return moment


PAGE: Final[Schema] = {
    vol.Optional("before"): NUMBER,
    vol.Optional("limit", default=50): vol.All(int, vol.Range(min=1, max=_MAX_PAGE)),
}
PERIOD: Final[Schema] = {
    vol.Optional("text", default=""): vol.All(str, vol.Length(max=_MAX_TEXT)),
    vol.Optional("since"): vol.All(str, _moment),
    vol.Optional("until"): vol.All(str, _moment),
}
