"""Background jobs: what is due runs once, on schedule or when asked, in one of many processes."""

from recollect.jobs.background import JobRunner

__all__ = ["JobRunner"]
