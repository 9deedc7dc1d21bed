"""Indexes that find exchanges by their meaning, all alike to who asks them."""
