-- Items that clients sealed before they sent them.

-- What clients sealed before they sent it: vectors to search by, and boxes that only a client's key opens. `seal` tells
-- which key that is by a salt and a check value, not the key.
CREATE TABLE sealed_items (
    tenant      text COLLATE "C" NOT NULL,
    space       text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    person      text COLLATE "C",
    visibility  text COLLATE "C" NOT NULL CHECK (visibility IN ('private', 'team', 'project')),
    at          bigint NOT NULL,
    seal        text COLLATE "C" NOT NULL,
    model       text COLLATE "C" NOT NULL,
    vector      bytea NOT NULL,
    box         bytea NOT NULL,
    PRIMARY KEY (tenant, space, id)
);
CREATE INDEX sealed_items_by_time ON sealed_items (tenant, space, at);

ALTER TABLE sealed_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE sealed_items FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON sealed_items USING (tenant = (SELECT current_setting('toldonce.tenant', true)));
CREATE POLICY of_person ON sealed_items AS RESTRICTIVE USING (
    (SELECT current_setting('toldonce.role', true)) = 'engine'
    OR person IS NULL OR person = (SELECT current_setting('toldonce.person', true)) OR visibility = 'project'
    OR (visibility = 'team' AND space = ANY ((SELECT joined_spaces())::text[])));

UPDATE schema_version SET version = 2;
