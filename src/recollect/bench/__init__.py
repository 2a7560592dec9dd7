"""Measures recall: public data sets and probes of one's own go in, figures that can be compared come out."""
