"""People of a test who are really logged in."""

from homeassistant.auth.models import User
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import CLIENT_ID


async def access_token(hass: HomeAssistant, user: User) -> str:
    """Log somebody in and return what their client shows from then on."""
    token = await hass.auth.async_create_refresh_token(user, CLIENT_ID)
    return hass.auth.async_create_access_token(token)
