-- Webhooks, an index for the entries of the audit log that are events, and one for what a person may read.

CREATE INDEX audit_log_events ON audit_log (tenant, seq) WHERE action IN ('settle', 'ask question', 'answer question');

-- Whom to tell by HTTP what happens: where, about which events, up to which place that is done, and how it went. The secret
-- signs what is sent. `private` allows addresses of this machine and its own network.
CREATE TABLE webhooks (
    tenant        text COLLATE "C" NOT NULL,
    id            text COLLATE "C" NOT NULL,
    url           text COLLATE "C" NOT NULL,
    secret        text COLLATE "C" NOT NULL,
    events        text COLLATE "C" NOT NULL,
    with_text     bigint NOT NULL,
    private       bigint NOT NULL,
    place         text COLLATE "C" NOT NULL,
    created_at    bigint NOT NULL,
    delivered     bigint NOT NULL DEFAULT 0,
    dropped       bigint NOT NULL DEFAULT 0,
    delivered_at  bigint,
    ended_at      bigint,
    last_error    text NOT NULL DEFAULT '',
    PRIMARY KEY (tenant, id)
);

ALTER TABLE webhooks ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhooks FORCE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON webhooks USING (tenant = (SELECT current_setting('recollect.tenant', true)));
CREATE POLICY of_engine ON webhooks AS RESTRICTIVE USING ((SELECT current_setting('recollect.role', true)) = 'engine');

UPDATE schema_version SET version = 3;

-- A person's own derived records, without those that are private to others.
CREATE INDEX derived_by_reader ON records (
    tenant, space, kind, (CASE WHEN visibility = 'private' AND person IS NOT NULL THEN person ELSE '' END), at)
    WHERE conversation IS NULL;
