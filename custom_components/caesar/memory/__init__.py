"""The memory of one house: pure Python, with no knowledge of Home Assistant."""
