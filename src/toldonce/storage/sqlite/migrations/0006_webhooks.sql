-- Webhooks, and indexes for the entries of the audit log that are events, for what a person may read, and for attributes.

CREATE INDEX audit_log_events ON audit_log (tenant, seq) WHERE action IN ('settle', 'ask question', 'answer question');

-- Whom to tell by HTTP what happens: where, about which events, up to which place that is done, and how it went. The secret
-- signs what is sent. `private` allows addresses of this machine and its own network.
CREATE TABLE webhooks (
    tenant        TEXT NOT NULL,
    id            TEXT NOT NULL,
    url           TEXT NOT NULL,
    secret        TEXT NOT NULL,
    events        TEXT NOT NULL,
    with_text     INTEGER NOT NULL,
    private       INTEGER NOT NULL,
    place         TEXT NOT NULL,
    created_at    INTEGER NOT NULL,
    delivered     INTEGER NOT NULL DEFAULT 0,
    dropped       INTEGER NOT NULL DEFAULT 0,
    delivered_at  INTEGER,
    ended_at      INTEGER,
    last_error    TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

-- A person's own derived records, without those that are private to others.
CREATE INDEX derived_by_reader ON records (
    tenant, space, kind, iif(visibility = 'private' AND user IS NOT NULL, user, ''), at)
    WHERE conversation IS NULL;

-- What is known of an attribute, whoever it is about.
CREATE INDEX records_by_attribute ON records (tenant, space, substr(subject, instr(subject, '/') + 1), at)
    WHERE subject IS NOT NULL;
