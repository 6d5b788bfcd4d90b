-- Primary and unique keys, by column number. Partial and expression indexes are no keys.
SELECT x.indrelid, x.indisprimary, (x.indkey::int2[])[0:x.indnkeyatts - 1]
FROM pg_index AS x
JOIN pg_class AS c ON c.oid = x.indrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE x.indisunique AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL
  AND NOT c.relispartition
  AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname !~ '^pg_(toast|temp_)'
ORDER BY x.indrelid, x.indexrelid
