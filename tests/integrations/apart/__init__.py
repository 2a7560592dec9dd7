"""Programs that run in an environment of their own, for packages that cannot be installed beside our dependencies."""
