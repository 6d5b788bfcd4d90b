-- Enums, domains, arrays and composite types that were created here.
SELECT t.oid,
       t.typtype,
       t.typbasetype,
       CASE WHEN t.typcategory = 'A' THEN t.typelem ELSE 0 END,
       (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum AS e WHERE e.enumtypid = t.oid),
       (SELECT array_agg(ARRAY[a.attname::text, format_type(a.atttypid, a.atttypmod), a.atttypid::text] ORDER BY a.attnum)
        FROM pg_attribute AS a
        WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped)
FROM pg_type AS t
LEFT JOIN pg_class AS c ON c.oid = t.typrelid
LEFT JOIN pg_type AS i ON i.oid = t.typelem
LEFT JOIN pg_class AS ic ON ic.oid = i.typrelid
WHERE t.typnamespace <> 'pg_catalog'::regnamespace
  AND t.typnamespace <> 'information_schema'::regnamespace
  AND coalesce(c.relkind, 'c') = 'c'
  AND coalesce(ic.relkind, 'c') = 'c'
ORDER BY t.oid
