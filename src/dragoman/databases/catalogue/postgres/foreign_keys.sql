-- Foreign keys, by column number; the copies that partitions carry are left out.
SELECT k.conrelid, k.conkey, k.confrelid, k.confkey
FROM pg_constraint AS k
WHERE k.contype = 'f' AND k.conparentid = 0
ORDER BY k.conrelid, k.oid
