"""Time and memory of FRR against other programs and against its own bars."""
