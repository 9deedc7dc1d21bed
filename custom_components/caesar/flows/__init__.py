"""The forms behind the config flow: one file for each thing that is set up."""
