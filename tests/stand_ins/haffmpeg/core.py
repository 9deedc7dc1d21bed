"""What entities of ffmpeg are made of; there are none."""


class HAFFmpeg:
    """One run of ffmpeg."""
