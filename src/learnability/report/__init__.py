"""Pages: formulas and tables in HTML, captions, the scorecard, the index of a run."""
