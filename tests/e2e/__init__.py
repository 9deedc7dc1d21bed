"""CAESAR in a browser: a real Chromium looks at a real Home Assistant."""
