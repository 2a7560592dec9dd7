"""Secret redaction: a text comes in, the same text without secrets and a count by type go out.

It runs before anything is stored. Rules look at shape, surrounding words, blocks and files. It may import `lang` and
`text`.
"""
