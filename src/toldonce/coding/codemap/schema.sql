-- The search index of one working tree: a cache that may be thrown away and made again at any time.
-- Files that a task is searched in ("source") have ids below 2^32, all others above, so that one full-text table serves
-- both and a query reads only its half.

CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

-- One row per path ever seen: past commits may name a file that is not there (present = 0).
CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    stem TEXT NOT NULL,
    language TEXT NOT NULL,
    role TEXT NOT NULL,
    present INTEGER NOT NULL DEFAULT 0,
    size INTEGER NOT NULL DEFAULT -1,
    changed_ns INTEGER NOT NULL DEFAULT 0,
    digest BLOB,
    lines INTEGER NOT NULL DEFAULT 0,
    about TEXT NOT NULL DEFAULT '',
    skipped TEXT NOT NULL DEFAULT '',
    churn REAL NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX files_by_name ON files (name);
CREATE INDEX files_by_stem ON files (stem);

CREATE TABLE symbols (file INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, line INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
CREATE INDEX symbols_by_name ON symbols (name);
CREATE INDEX symbols_by_file ON symbols (file);

-- Words of a file's import lines; which file is meant is worked out when asked, so that no edge grows stale.
CREATE TABLE refs (file INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (file, word)) WITHOUT ROWID, STRICT;
CREATE INDEX refs_by_word ON refs (word, file);

-- What a file imports, as its language writes it; it is resolved by path when the map is made.
CREATE TABLE imports (file INTEGER NOT NULL, target TEXT NOT NULL, PRIMARY KEY (file, target)) WITHOUT ROWID, STRICT;

CREATE TABLE commits (id INTEGER PRIMARY KEY, sha TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, width INTEGER NOT NULL) STRICT;
CREATE TABLE touched (commit_id INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (commit_id, file)) WITHOUT ROWID, STRICT;
CREATE INDEX touched_by_file ON touched (file, commit_id);
CREATE TABLE together (file INTEGER NOT NULL, other INTEGER NOT NULL, share REAL NOT NULL, PRIMARY KEY (file, other)) WITHOUT ROWID, STRICT;

-- detail=full: bm25() of a smaller index reads every row's text again, which costs thirty times as much.
CREATE VIRTUAL TABLE path_text USING fts5 (words, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2 tokenchars '_'");
CREATE VIRTUAL TABLE symbol_text USING fts5 (words, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2 tokenchars '_'");
CREATE VIRTUAL TABLE body_text USING fts5 (words, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2 tokenchars '_'");
CREATE VIRTUAL TABLE commit_text USING fts5 (words, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2 tokenchars '_'");
CREATE VIRTUAL TABLE body_words USING fts5vocab (body_text, 'row');
