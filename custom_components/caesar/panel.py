"""The panel in the sidebar, and the one file that it consists of.

The file is served from memory under the hash of its content: an update that replaces it
on disk leaves open panels with the backend they belong to until the restart, and a
browser never keeps an old one under a new address.
"""

from dataclasses import dataclass
import gzip
import hashlib
from pathlib import Path
from typing import Final

from aiohttp import web
from homeassistant.components import frontend
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.http import KEY_HASS, HomeAssistantView
from homeassistant.util.hass_dict import HassKey

from .const import DOMAIN

_FILE: Final = Path(__file__).parent / "frontend" / "caesar-panel.js"
_URL: Final = "/api/caesar/panel/{digest}.js"
_TAG: Final = "caesar-panel"
_TITLE: Final = "CAESAR"
_ICON: Final = "mdi:brain"
_DIGEST_LENGTH: Final = 12
_FOREVER: Final = "public, max-age=31536000, immutable"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bundle:
    """The built file, as it is served."""

    digest: str
    plain: bytes
    zipped: bytes

    @classmethod
    def read(cls) -> Bundle | None:
        """Return the built file, None where the panel was not built."""
        try:
            plain = _FILE.read_bytes()
        except FileNotFoundError:
            return None
        return cls(
            digest=hashlib.sha256(plain).hexdigest()[:_DIGEST_LENGTH],
            plain=plain,
            zipped=gzip.compress(plain, mtime=0),
        )

    @property
    def url(self) -> str:
        """Return where the file is served."""
        return _URL.format(digest=self.digest)


_BUNDLE: HassKey[Bundle] = HassKey("caesar_panel_bundle")


class PanelView(HomeAssistantView):
    """Serves the built file: code, and never data."""

    url = _URL
    name = "api:caesar:panel"
    requires_auth = False

    async def get(self, request: web.Request, digest: str) -> web.Response:
        """Return the present file, whichever was asked for."""
        bundle = request.app[KEY_HASS].data.get(_BUNDLE)
        if bundle is None:
            raise web.HTTPNotFound
        headers = {
            "Vary": "Accept-Encoding",
            "Cache-Control": _FOREVER if digest == bundle.digest else "no-store",
        }
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return _javascript(bundle.plain, headers)
        return _javascript(bundle.zipped, {**headers, "Content-Encoding": "gzip"})


@callback
def async_setup_panel(hass: HomeAssistant) -> None:
    """Let the file be served, once and for as long as Home Assistant runs."""
    hass.http.register_view(PanelView())


async def async_show_panel(hass: HomeAssistant) -> None:
    """Show the panel as it is on disk now; without a frontend there is none."""
    bundle = await hass.async_add_executor_job(Bundle.read)
    if bundle is None or frontend.DOMAIN not in hass.config.components:
        return
    if hass.data.get(_BUNDLE) == bundle and frontend.async_panel_exists(hass, DOMAIN):
        return
    hass.data[_BUNDLE] = bundle
    frontend.async_register_built_in_panel(
        hass,
        "custom",
        sidebar_title=_TITLE,
        sidebar_icon=_ICON,
        frontend_url_path=DOMAIN,
        config={
            "bundle": bundle.digest,
            "_panel_custom": {
                "name": _TAG,
                "embed_iframe": False,
                "trust_external": False,
                "handle_safe_area": True,
                "module_url": bundle.url,
            },
        },
        # What somebody sees there is decided by each command.
        require_admin=False,
        update=True,
    )


@callback
def async_remove_panel(hass: HomeAssistant) -> None:
    """Take the panel out of the sidebar."""
    hass.data.pop(_BUNDLE, None)
    frontend.async_remove_panel(hass, DOMAIN, warn_if_unknown=False)


def _javascript(body: bytes, headers: dict[str, str]) -> web.Response:
    return web.Response(body=body, content_type="text/javascript", headers=headers)
