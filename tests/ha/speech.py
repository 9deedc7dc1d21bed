"""What speech comes through: satellites, and an engine that understands everything."""

# ruff: noqa: RUF012  they stand for properties

from collections.abc import AsyncIterable, AsyncIterator
from typing import Any, override

from homeassistant.components import assist_pipeline, stt
from homeassistant.components.assist_pipeline import PipelineEvent
from homeassistant.components.assist_pipeline.models import PipelineStage
from homeassistant.components.assist_satellite import (
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
)
from homeassistant.components.stt.const import DATA_COMPONENT as STT_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockEntityPlatform

from .house import AGENT

_SILENCE = bytes(assist_pipeline.SAMPLES_PER_CHUNK * assist_pipeline.SAMPLE_WIDTH)


class Ears(stt.SpeechToTextEntity):
    """A speech engine that hears what it is told, whatever the audio is."""

    entity_id = "stt.ears"
    _attr_name = "Ears"
    words = ""

    supported_languages = ["en"]
    supported_formats = list(stt.AudioFormats)
    supported_codecs = list(stt.AudioCodecs)
    supported_bit_rates = list(stt.AudioBitRates)
    supported_sample_rates = list(stt.AudioSampleRates)
    supported_channels = list(stt.AudioChannels)

    @override
    async def async_process_audio_stream(
        self, metadata: stt.SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> stt.SpeechResult:
        async for _ in stream:
            pass
        return stt.SpeechResult(self.words, stt.SpeechResultState.SUCCESS)


class Satellite(AssistSatelliteEntity):
    """A microphone and a loudspeaker in a room."""

    def __init__(self, ears: Ears, entity_id: str) -> None:
        self.entity_id = entity_id
        self._attr_unique_id = entity_id.partition(".")[2]
        self._ears = ears
        self.said = ""

    async def hear(self, words: str) -> str:
        """Let somebody speak, and return what the satellite answers."""
        self._ears.words = words
        self.said = ""
        await self.async_accept_pipeline_from_satellite(
            _audio(), end_stage=PipelineStage.INTENT
        )
        return self.said

    @override
    def on_pipeline_event(self, event: PipelineEvent) -> None:
        assert event.type != "error", event.data
        if event.type == "intent-end":
            self.said = speech_of(event.data)

    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        return AssistSatelliteConfiguration([], [], 0)

    @override
    async def async_set_configuration(
        self, config: AssistSatelliteConfiguration
    ) -> None: ...


async def add_pipeline(hass: HomeAssistant, engine: str = AGENT) -> Ears:
    """Let the preferred assistant be one that answers with CAESAR."""
    assert await async_setup_component(hass, "assist_pipeline", {})
    assert await async_setup_component(hass, "assist_satellite", {})
    ears = Ears()
    await hass.data[STT_COMPONENT].async_add_entities([ears])
    (preferred,) = assist_pipeline.async_get_pipelines(hass)
    await assist_pipeline.async_update_pipeline(
        hass,
        preferred,
        conversation_engine=engine,
        conversation_language="en",
        stt_engine=ears.entity_id,
        stt_language="en",
    )
    return ears


async def bring_to_life(
    hass: HomeAssistant, ears: Ears, *entity_ids: str
) -> list[Satellite]:
    """Return satellites that are registered, with somebody able to speak to them."""
    satellites = [Satellite(ears, entity_id) for entity_id in entity_ids]
    for satellite in satellites:
        registered = er.async_get(hass).async_get(satellite.entity_id)
        assert registered is not None
        assert registered.config_entry_id is not None
        platform = MockEntityPlatform(
            hass, domain="assist_satellite", platform_name="satellites"
        )
        platform.config_entry = hass.config_entries.async_get_entry(
            registered.config_entry_id
        )
        await platform.async_add_entities([satellite])
    return satellites


def speech_of(data: Any) -> str:
    """Return what was answered, from the end of a pipeline's intent stage."""
    return str(data["intent_output"]["response"]["speech"]["plain"]["speech"])


async def _audio() -> AsyncIterator[bytes]:
    yield _SILENCE
