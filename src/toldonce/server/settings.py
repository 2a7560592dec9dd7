"""The settings of one server: limits, names it is reached by, and how tokens are verified."""

from __future__ import annotations

from dataclasses import dataclass, field

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSettings:
    """How bearer tokens (JWT) are verified, and which of their claims say who is asking."""

    jwks_url: str = ""
    key: str = ""
    issuer: str = ""
    audience: str = ""
    person_claim: str = "sub"
    spaces_claim: str = "toldonce_spaces"
    rights_claim: str = "toldonce_rights"
    role_claim: str = "toldonce_role"
    tenant_claim: str = "tenant"

    @property
    def is_set(self) -> bool:
        """Whether tokens are accepted at all."""
        return bool(self.jwks_url or self.key)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """What one client, and all of them together, may take of a process."""

    body_bytes: int = 4_000_000
    import_bytes: int = 2_000_000_000
    form_bytes: int = 4_000_000
    # For paths that ask for no credential.
    open_bytes: int = 8_000
    requests_per_minute: int = 1_200
    concurrent: int = 64
    seconds: float = 60.0
    long_seconds: float = 600.0
    streams: int = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """Everything that the application needs to know beside its memory."""

    hosts: tuple[str, ...] = ()
    tokens: TokenSettings = field(default_factory=TokenSettings)
    limits: RequestLimits = field(default_factory=RequestLimits)
    is_secure: bool = False
    private_webhooks: bool = False

    def host_names(self) -> frozenset[str]:
        """The names by which clients may reach the server."""
        return frozenset(name.casefold().strip("[]") for name in (*LOOPBACK, *self.hosts))
