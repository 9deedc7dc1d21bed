"""Stands in for a package that takes noise out of audio and would be compiled."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProcessedAudio:
    """What became of 10 ms of audio."""

    audio: bytes


class AudioProcessor:
    """Leaves all audio as it is."""

    def __init__(self, auto_gain: float, noise_suppression: int) -> None: ...

    def Process10ms(  # noqa: N802  the package's name
        self, audio: bytes
    ) -> ProcessedAudio:
        """Return 10 ms of audio."""
        return ProcessedAudio(audio)
