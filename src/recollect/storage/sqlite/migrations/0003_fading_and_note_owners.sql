-- What the confidence of a record fades from: the one it had when it was last used or set, and when that was.
CREATE TABLE standings (
    record      INTEGER PRIMARY KEY REFERENCES records (seq) ON DELETE CASCADE,
    confidence  REAL NOT NULL,
    since       INTEGER NOT NULL
) STRICT;

CREATE INDEX people_blocked ON people (tenant, space) WHERE blocked = 1;
