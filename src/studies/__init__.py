"""Studies: each knows its paper and uses the library; none imports another."""
