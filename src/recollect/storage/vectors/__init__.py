"""The vector index: sign bits first, exact cosines for the best, and its packed parts."""
