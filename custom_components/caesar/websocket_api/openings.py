"""Whose facts administrators have open at the moment, by connection.

Having them open is what lets an administrator read and change another person's facts:
it cannot be had without the trace that opening leaves.
"""

from collections import Counter

from homeassistant.components.websocket_api.connection import ActiveConnection
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.util.hass_dict import HassKey

from custom_components.caesar.memory.models import Owner

_OPEN: HassKey[Counter[tuple[ActiveConnection, Owner]]] = HassKey("caesar_openings")


@callback
def async_open(
    hass: HomeAssistant, connection: ActiveConnection, owner: Owner
) -> CALLBACK_TYPE:
    """Note that somebody's facts are open on a connection; return how to close them."""
    openings = hass.data.setdefault(_OPEN, Counter())
    opening = (connection, owner)
    openings[opening] += 1

    @callback
    def close() -> None:
        openings[opening] -= 1
        if not openings[opening]:
            del openings[opening]

    return close


def opened_by(hass: HomeAssistant, connection: ActiveConnection) -> frozenset[Owner]:
    """Return whose facts are open on a connection."""
    openings = hass.data.get(_OPEN, ())
    return frozenset(owner for opened_on, owner in openings if opened_on is connection)
