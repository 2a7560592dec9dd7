"""Benchmarks of recall: public data sets or probes made from one's own memory come in, comparable figures go out.

It uses `Memory` as an application does, and may import it, `jobs` and the layers below.
"""
