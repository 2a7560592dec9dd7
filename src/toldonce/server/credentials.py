"""A request's credential becomes an identity: an API key, a signed token, or the cookie of a signed-in browser.

A credential that does not hold is refused alike, whatever is wrong with it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import secrets
from datetime import timedelta
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any

from toldonce.operations.keys import PREFIX, RIGHTS, ROLES
from toldonce.records import LOCAL_TENANT
from toldonce.server.forms import CSRF_FIELD, FORM
from toldonce.server.identity import Identity
from toldonce.server.problems import RequestProblem
from toldonce.server.settings import ServerSettings, TokenSettings

if TYPE_CHECKING:
    import jwt
    from starlette.requests import HTTPConnection

    from toldonce.memory import Memory

COOKIE = "toldonce_session"
CSRF_HEADER = "x-csrf-token"
LINK_LASTS = timedelta(hours=24)
BROWSER_LASTS = timedelta(days=7)
_LONGEST_CREDENTIAL = 8_192
_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
# Only signatures by a key pair; a shared secret must be given as such.
_PAIR_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "ES512", "EdDSA")
_SECRET_ALGORITHMS = ("HS256", "HS384", "HS512")
log = logging.getLogger("toldonce.server")


class Credentials:
    """Finds out who is asking, and signs browsers in and out."""

    def __init__(self, memory: Memory, settings: ServerSettings) -> None:
        self._memory = memory
        self._settings = settings
        tenant = memory.store.read(lambda t: t.tenant)
        self._tokens = TokenVerifier(settings.tokens, tenant=tenant) if settings.tokens.is_set else None

    def identify(self, request: HTTPConnection) -> Identity:
        """Whose request it is, by its head alone; raises a problem of status 401 when that is not certain."""
        header = request.headers.get("authorization")
        if header is not None:
            return self._of_header(header)
        cookie = read_cookie(request, COOKIE)
        if cookie:
            return self._of_cookie(cookie)
        raise refuse_credential("this server needs a credential: send `Authorization: Bearer KEY`")

    def still_holds(self, request: HTTPConnection) -> bool:
        """Whether the credential of a request that goes on still holds; keys that cannot be read now change nothing."""
        try:
            self.identify(request)
        except RequestProblem as problem:
            return problem.status not in (401, 403)
        return True

    def _of_header(self, header: str) -> Identity:
        scheme, _, secret = header.partition(" ")
        secret = secret.strip()
        if scheme.lower() != "bearer" or not secret or len(secret) > _LONGEST_CREDENTIAL:
            raise refuse_credential("send the credential as `Authorization: Bearer KEY`")
        if secret.startswith(PREFIX):
            key = self._memory.keys.identify(secret)
            if key is not None:
                return Identity.of_key(key)
        elif self._tokens is not None:
            return self._tokens.identify(secret)
        raise refuse_credential("this credential does not hold: it is unknown, expired or revoked")

    # Browsers

    def make_link_token(self, identity: Identity) -> str:
        """A token that signs one browser in, once."""
        token, now = secrets.token_urlsafe(32), self._memory.clock()
        held = json.dumps(identity.as_table())
        until = now + LINK_LASTS
        self._memory.store.write(
            lambda t: t.held_values.hold(
                "link", hash_token(token), held, now=now, expires_at=until, person=identity.person
            )
        )
        return token

    def redeem_link(self, token: str) -> str | None:
        """The cookie of a browser that followed a link, always a new one; None when the link does not hold."""
        now, digest = self._memory.clock(), hash_token(token)
        cookie = secrets.token_urlsafe(32)

        def work(tables: Any) -> bool:
            held = tables.held_values.get("link", digest, now=now)
            if held is None or not tables.held_values.drop("link", digest):
                return False
            table = {**json.loads(held), "credential": f"browser-{digest[:12]}"}
            stored = json.dumps({"identity": table, "csrf": secrets.token_urlsafe(24)})
            person, until = table["person"], now + BROWSER_LASTS
            return bool(
                tables.held_values.hold("browser", hash_token(cookie), stored, now=now, expires_at=until, person=person)
            )

        return cookie if self._memory.store.write(work) else None

    def sign_out(self, cookie: str) -> None:
        """End the session of a browser."""
        self._memory.store.write(lambda t: t.held_values.drop("browser", hash_token(cookie)))

    def csrf_token(self, cookie: str) -> str | None:
        """What a page must send with its writes; None when the browser is not signed in."""
        held = self._read_browser(cookie)
        return None if held is None else str(held["csrf"])

    def check_write(self, request: HTTPConnection, identity: Identity) -> None:
        """Refuse a write of a browser, its form read, that does not carry the token of its session."""
        if identity.kind != "browser" or request.scope.get("method", "GET") in _SAFE_METHODS:
            return
        said = request.headers.get(CSRF_HEADER) or request.scope.get(FORM, {}).get(CSRF_FIELD, [""])[0]
        wanted = self.csrf_token(read_cookie(request, COOKIE))
        if wanted is None or not secrets.compare_digest(said.encode(), wanted.encode()):
            raise RequestProblem(
                403, "csrf", "a write by a browser needs the token of its session: load the page again"
            )

    def _of_cookie(self, cookie: str) -> Identity:
        held = self._read_browser(cookie)
        if held is None:
            raise refuse_credential("this browser is not signed in: use the link that `toldonce serve` prints")
        return Identity.from_table(held["identity"])

    def _read_browser(self, cookie: str) -> dict[str, Any] | None:
        now = self._memory.clock()
        held = self._memory.store.read(lambda t: t.held_values.get("browser", hash_token(cookie), now=now))
        return None if held is None else json.loads(held)


class TokenVerifier:
    """Verifies signed tokens (JWT) and reads who is asking from their claims."""

    def __init__(self, settings: TokenSettings, *, tenant: str) -> None:
        import jwt

        self._settings = settings
        self._tenant = tenant
        self._remote = jwt.PyJWKClient(settings.jwks_url, timeout=10) if settings.jwks_url else None

    def identify(self, token: str) -> Identity:
        """The identity that a token proves."""
        import jwt

        try:
            claims = self._decode(token)
        except jwt.PyJWKClientConnectionError as problem:
            log.warning("keys for tokens could not be read: %s", type(problem).__name__)
            raise RequestProblem(503, "keys-unavailable", "tokens cannot be verified now: try again") from problem
        except (jwt.PyJWTError, ValueError) as problem:
            raise refuse_credential("this token does not hold: it is wrong, expired or for another server") from problem
        return self._identity_of(claims)

    def _decode(self, token: str) -> dict[str, Any]:
        import jwt

        settings = self._settings
        key: jwt.PyJWK | str = settings.key if self._remote is None else self._remote.get_signing_key_from_jwt(token)
        is_shared = self._remote is None and "-----BEGIN" not in settings.key
        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=list(_SECRET_ALGORITHMS if is_shared else _PAIR_ALGORITHMS),
            issuer=settings.issuer,
            audience=settings.audience,
            options={"require": ["exp", "iss", "aud"]},
        )
        return claims

    def _identity_of(self, claims: dict[str, Any]) -> Identity:
        settings = self._settings
        person, tenant = claims.get(settings.person_claim), claims.get(settings.tenant_claim, LOCAL_TENANT)
        spaces, rights = claims.get(settings.spaces_claim), claims.get(settings.rights_claim, ["read", "write"])
        role = claims.get(settings.role_claim, "person")
        has_lists = isinstance(rights, list) and (spaces is None or isinstance(spaces, list))
        if (
            not isinstance(person, str)
            or not person.strip()
            or tenant != self._tenant
            or not has_lists
            or role not in ROLES
        ):
            raise refuse_credential("this token does not say for whom it is, or is for another tenant")
        return Identity(
            credential=f"token-{hash_token(person)[:12]}",
            name=settings.issuer,
            kind="token",
            person=person,
            spaces=None if spaces is None else tuple(str(name) for name in spaces),
            rights=tuple(right for right in RIGHTS if right in rights),
            role=role,
        )


def refuse_credential(detail: str) -> RequestProblem:
    """The answer to a request without a credential that holds."""
    return RequestProblem(401, "unauthorized", detail, WWW_Authenticate='Bearer realm="toldonce"')


def hash_token(token: str) -> str:
    """What is stored of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def read_cookie(request: HTTPConnection, name: str) -> str:
    """A cookie of a request; "" when there is none."""
    try:
        found = SimpleCookie(request.headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found is not None and len(found.value) <= _LONGEST_CREDENTIAL else ""
