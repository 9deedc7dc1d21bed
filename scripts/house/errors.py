"""What can go wrong with the house."""


class HouseError(Exception):
    """Home Assistant did not start, or refused what was asked."""
