-- Messages with an idempotency key that were destroyed, by their ids, which tell nothing: a retry must not store them again.
CREATE TABLE destroyed_messages (
    tenant  TEXT NOT NULL,
    id      TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
