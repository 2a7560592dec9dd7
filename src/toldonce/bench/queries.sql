-- name: create_vectors
-- The one table of a cache of vectors.
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text)
) WITHOUT ROWID

-- name: get_vectors
-- Vectors of a model by the hashes of their texts, as hexadecimal.
SELECT hex(v.text), v.vector FROM json_each(:texts) AS t CROSS JOIN vectors AS v ON v.model = :model AND v.text = unhex(t.value)

-- name: put_vector
-- Keep a vector.
INSERT OR REPLACE INTO vectors (model, text, vector) VALUES (:model, unhex(:text), :vector)
