"""Home Assistant's own assistants, as somebody sets them up under its voice page."""

from typing import Any

from homeassistant.components import assist_pipeline
from homeassistant.components.assist_pipeline import Pipeline
from homeassistant.components.assist_pipeline.runtime import KEY_ASSIST_PIPELINE
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component

_TEXT_ONLY = dict.fromkeys(
    (
        *("stt_engine", "stt_language", "tts_engine", "tts_language", "tts_voice"),
        *("wake_word_entity", "wake_word_id"),
    )
)


class Assistants:
    """The assistants by their names; at first there is Home Assistant's own."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass

    @classmethod
    async def begin(cls, hass: HomeAssistant) -> Assistants:
        for domain in ("homeassistant", "assist_pipeline"):
            assert await async_setup_component(hass, domain, {})
        return cls(hass)

    async def add(self, name: str, engine: str, **settings: Any) -> None:
        store = self._hass.data[KEY_ASSIST_PIPELINE].pipeline_store
        await store.async_create_item(
            {
                "name": name,
                "conversation_engine": engine,
                "conversation_language": "en",
                "language": "en",
                **_TEXT_ONLY,
                **settings,
            }
        )

    async def change(self, name: str, **settings: Any) -> None:
        await assist_pipeline.async_update_pipeline(
            self._hass, self._named(name), **settings
        )

    def _named(self, name: str) -> Pipeline:
        pipelines = assist_pipeline.async_get_pipelines(self._hass)
        (pipeline,) = (one for one in pipelines if one.name == name)
        return pipeline
