"""What CAESAR costs, measured through its own code; scripts/benchmark runs these."""
