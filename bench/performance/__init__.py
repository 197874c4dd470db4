"""Measures time and memory of FRR in comparison with other programs and with fixed bars."""
