-- Webhooks, an index for the entries of the audit log that are events, one for what a person may read, and a quicker look
-- for words and vectors.

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
CREATE POLICY of_tenant ON webhooks USING (tenant = (SELECT current_setting('toldonce.tenant', true)));
CREATE POLICY of_engine ON webhooks AS RESTRICTIVE USING ((SELECT current_setting('toldonce.role', true)) = 'engine');

UPDATE schema_version SET version = 3;

-- A person's own derived records, without those that are private to others.
CREATE INDEX derived_by_reader ON records (
    tenant, space, kind, (CASE WHEN visibility = 'private' AND person IS NOT NULL THEN person ELSE '' END), at)
    WHERE conversation IS NULL;

-- Places of records that match, newest first, no more than `most`; NULL asks for all. Many are wanted of a small memory
-- only, or else all: then the index of words finds them, by a plan that is made once. Where few are wanted, how common the
-- words are decides between that index and a look at the newest records, so that a plan is made each time.
CREATE OR REPLACE FUNCTION matching_places(match text, most bigint) RETURNS SETOF bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER AS $$
DECLARE
    whose text := current_tenant();
    wanted tsquery := match_query(match::jsonb);
BEGIN
    IF most < 5000 THEN
        RETURN QUERY EXECUTE
            'SELECT w.seq FROM record_words AS w WHERE w.tenant = $1 AND w.words @@ $2 ORDER BY w.seq DESC LIMIT $3'
        USING whose, wanted, most;
    ELSE
        RETURN QUERY SELECT found.seq FROM (
            SELECT w.seq FROM record_words AS w WHERE w.tenant = whose AND w.words @@ wanted OFFSET 0) AS found
        ORDER BY found.seq DESC LIMIT most;
    END IF;
END $$;

-- The vectors of a scope in the order of the table, so that they are read page by page.
DROP INDEX vectors_by_scope;
CREATE INDEX vectors_by_scope ON vectors (tenant, model, space);
