"""Stands in for a package that runs ffmpeg, which a house without a voice never does.

Speech imports it before anybody asks whether there is an ffmpeg.
"""
