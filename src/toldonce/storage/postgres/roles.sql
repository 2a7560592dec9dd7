-- The role that transactions run as, whoever logs in: it owns nothing and is bound by every policy. Run after the schema
-- was made or migrated. Without the right to create roles the owner itself is bound, since row-level security is forced.

DO $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'toldonce_app') THEN
        CREATE ROLE toldonce_app NOLOGIN;
    END IF;
    EXECUTE format('GRANT toldonce_app TO %I', current_user);
EXCEPTION
    WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL;
END $$;

DO $$
DECLARE
    thing record;
    has_role boolean := EXISTS (
        SELECT 1 FROM pg_roles AS r WHERE r.rolname = 'toldonce_app' AND pg_has_role(current_user, r.oid, 'MEMBER'));
BEGIN
    FOR thing IN SELECT p.oid::regprocedure AS name, p.prosecdef FROM pg_proc AS p
        WHERE p.pronamespace = current_schema()::regnamespace
    LOOP
        IF thing.prosecdef THEN
            EXECUTE format('ALTER FUNCTION %s SET search_path = %s', thing.name, current_setting('search_path'));
        END IF;
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', thing.name);
        IF has_role THEN
            EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO toldonce_app', thing.name);
        END IF;
    END LOOP;
    IF has_role THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO toldonce_app', current_schema());
        GRANT USAGE ON SEQUENCE places TO toldonce_app;
        FOR thing IN SELECT c.relname AS name FROM pg_class AS c
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
                AND c.relname <> 'schema_version'
        LOOP
            EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO toldonce_app', thing.name);
        END LOOP;
        GRANT SELECT ON schema_version TO toldonce_app;
        -- The functions of the word index run as the owner, which must not be bound by policies there: an index of words is
        -- not used behind them. The role above is bound all the same.
        ALTER TABLE record_words NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE record_grams NO FORCE ROW LEVEL SECURITY;
        ALTER TABLE word_counts NO FORCE ROW LEVEL SECURITY;
        -- The words of a record tell what it says. A person's transactions search them by these functions alone; how many
        -- records there are is everybody's to know.
        FOR thing IN SELECT * FROM (VALUES
            ('record_words', 'false'), ('record_grams', 'false'), ('word_counts', 'word = ''''')) AS guarded (name, shared)
        LOOP
            EXECUTE format('DROP POLICY IF EXISTS of_engine ON %I', thing.name);
            EXECUTE format(
                'CREATE POLICY of_engine ON %I AS RESTRICTIVE TO toldonce_app USING (
                    (SELECT current_setting(''toldonce.role'', true)) = ''engine'' OR %s)', thing.name, thing.shared);
        END LOOP;
    END IF;
END $$;
