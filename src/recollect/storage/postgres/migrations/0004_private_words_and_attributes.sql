-- Words of records are no longer shown to a person's transactions: roles.sql, which runs after this, makes the policies.
-- What is known of an attribute is found by an index.

ALTER TABLE records ADD COLUMN attribute text COLLATE "C"
    GENERATED ALWAYS AS (substr(subject, strpos(subject, '/') + 1)) STORED;
CREATE INDEX records_by_attribute ON records (tenant, space, attribute, at) WHERE subject IS NOT NULL;

UPDATE schema_version SET version = 4;
