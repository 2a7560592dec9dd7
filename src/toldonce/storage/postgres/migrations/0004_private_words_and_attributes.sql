-- Words of records are no longer shown to a person's transactions: roles.sql, which runs after this, makes the policies.
-- What is known of an attribute is found by an index. New words wait in a short list only. A load leaves statistics.

ALTER TABLE records ADD COLUMN attribute text COLLATE "C"
    GENERATED ALWAYS AS (substr(subject, strpos(subject, '/') + 1)) STORED;
CREATE INDEX records_by_attribute ON records (tenant, space, attribute, at) WHERE subject IS NOT NULL;

DROP INDEX record_words_found;
CREATE INDEX record_words_found ON record_words USING gin (words) WITH (gin_pending_list_limit = 64);
DROP INDEX record_grams_found;
CREATE INDEX record_grams_found ON record_grams USING gin (grams) WITH (gin_pending_list_limit = 64);

-- Makes the statistics of the tenant's tables that have at least doubled since the last time. The server does so by itself,
-- but only once a minute; until then a plan takes a tenant for small, and reads all rows of one that was just loaded.
CREATE FUNCTION refresh_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    number integer := (
        SELECT n FROM generate_series(0, 15) AS n
        WHERE satisfies_hash_partition('changes'::regclass, 16, n, current_tenant()));
    part text;
BEGIN
    FOR part IN
        SELECT c.relname FROM pg_class AS c
        WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
            AND c.relname LIKE '%\_' || number
            AND pg_relation_size(c.oid) / current_setting('block_size')::bigint >= greatest(2 * c.relpages, 10)
    LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) %I', part);
    END LOOP;
END $$;

UPDATE schema_version SET version = 4;
