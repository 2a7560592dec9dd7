-- Keys for the server, and values that its processes share for a while.

-- API keys of the server. Only a hash of a key is stored; after a rotation the previous one may hold for some time more.
CREATE TABLE access_keys (
    tenant           TEXT NOT NULL,
    id               TEXT NOT NULL,
    name             TEXT NOT NULL,
    digest           BLOB NOT NULL,
    previous_digest  BLOB,
    previous_until   INTEGER,
    person           TEXT,
    spaces           TEXT,
    rights           TEXT NOT NULL,
    role             TEXT NOT NULL,
    created_at       INTEGER NOT NULL,
    expires_at       INTEGER,
    revoked_at       INTEGER,
    last_used_at     INTEGER,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX access_keys_by_digest ON access_keys (digest);
CREATE INDEX access_keys_by_previous ON access_keys (previous_digest) WHERE previous_digest IS NOT NULL;

-- What the processes of a server share until it expires: signed-in browsers, one-time links, answers to repeated requests.
CREATE TABLE held_values (
    tenant      TEXT NOT NULL,
    purpose     TEXT NOT NULL,
    key         TEXT NOT NULL,
    value       TEXT NOT NULL,
    person      TEXT,
    expires_at  INTEGER NOT NULL,
    PRIMARY KEY (tenant, purpose, key)
) STRICT, WITHOUT ROWID;
