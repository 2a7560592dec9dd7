"""Background jobs: due jobs come in from the store, their handlers change memory, and a result for each goes out.

A job runs once even if many processes share a store, on schedule or when asked. Handlers call the operations of
`Memory`, so this package may import `memory` and every layer below, and the job of `coding`.
"""

from toldonce.jobs.background import JobRunner

__all__ = ["JobRunner"]
