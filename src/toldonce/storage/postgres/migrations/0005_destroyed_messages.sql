-- Messages with an idempotency key that were destroyed, by their ids, which tell nothing: a retry must not store them again.
CREATE TABLE destroyed_messages (
    tenant  text COLLATE "C" NOT NULL,
    id      text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, id)
);

ALTER TABLE destroyed_messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE destroyed_messages FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON destroyed_messages USING (tenant = (SELECT current_setting('toldonce.tenant', true)));

UPDATE schema_version SET version = 5;
