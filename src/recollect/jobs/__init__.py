"""Work that nobody waits for: what is due runs once, in the background or when asked, in one of many processes."""

from recollect.jobs.background import JobRunner

__all__ = ["JobRunner"]
