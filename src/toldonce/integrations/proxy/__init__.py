"""A proxy between a client that speaks OpenAI's HTTP formats and a model: the client gets a memory without code.

Requests come in, go on to the model's address with a block of remembered data, and what was said and answered is
observed. `formats` knows the two formats, `turns` knows the memory, `app` knows HTTP. It may import `memory` and the
layers below.
"""
