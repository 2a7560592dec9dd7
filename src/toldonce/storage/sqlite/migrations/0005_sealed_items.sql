-- Items that clients sealed before they sent them.

-- What clients sealed before they sent it: vectors to search by, and boxes that only a client's key opens. `seal` tells
-- which key that is by a salt and a check value, not the key.
CREATE TABLE sealed_items (
    tenant      TEXT NOT NULL,
    space       TEXT NOT NULL,
    id          TEXT NOT NULL,
    user        TEXT,
    visibility  TEXT NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    at          INTEGER NOT NULL,
    seal        TEXT NOT NULL,
    model       TEXT NOT NULL,
    vector      BLOB NOT NULL,
    box         BLOB NOT NULL,
    PRIMARY KEY (tenant, space, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX sealed_items_by_time ON sealed_items (tenant, space, at);
