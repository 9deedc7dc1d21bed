"""What Home Assistant asks ffmpeg, where there is none."""

IMAGE_JPEG = "mjpeg"


class FFVersion:
    """The version of an ffmpeg that is not there."""

    def __init__(self, ffmpeg_bin: str) -> None: ...

    async def get_version(self) -> str | None:
        """Return None, as for a program that cannot be found."""
        return None


class ImageFrame:
    """One frame of a stream."""

    def __init__(self, ffmpeg_bin: str) -> None: ...

    async def get_image(
        self,
        input_source: str,
        output_format: str = IMAGE_JPEG,
        extra_cmd: str | None = None,
    ) -> bytes | None:
        """Return None, as where ffmpeg fails."""
        return None
