"""Tools and styles of which a team uses one at a time, in rows. It imports nothing, so that a hook may look into it."""

from __future__ import annotations

ALTERNATIVES: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split())
    for row in (
        "tab space",
        "npm pnpm yarn bun",
        "pip poetry uv pipenv conda pdm",
        "pytest unittest nose",
        "jest vitest mocha ava jasmine",
        "single double",
        "snake_case camelcase pascalcase kebab-case",
        "rest graphql grpc",
        "merge rebase squash",
        "mysql mariadb postgres sqlite mongodb redis dynamodb",
        "eslint biome tslint",
        "black ruff yapf autopep8",
        "webpack vite rollup esbuild parcel",
        "redux zustand mobx",
        "fetch axios",
        "threads asyncio",
        "make just task",
        "maven gradle bazel",
        "docker podman",
        "utc local",
        "english portuguese spanish",
    )
)
