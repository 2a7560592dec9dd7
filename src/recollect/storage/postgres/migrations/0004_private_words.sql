-- Words of records are no longer shown to a person's transactions: roles.sql, which runs after this, makes the policies.

UPDATE schema_version SET version = 4;
