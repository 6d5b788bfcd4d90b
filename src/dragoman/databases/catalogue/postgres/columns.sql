-- Every column of those relations (partitions left out), in order.
SELECT a.attrelid,
       a.attnum,
       a.attname,
       format_type(a.atttypid, a.atttypmod),
       NOT a.attnotnull,
       d.description,
       pg_get_expr(f.adbin, f.adrelid),
       a.attgenerated <> '',
       a.atttypid,
       has_table_privilege(c.oid, 'SELECT') OR has_column_privilege(c.oid, a.attnum, 'SELECT')
FROM pg_attribute AS a
JOIN pg_class AS c ON c.oid = a.attrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_attrdef AS f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
LEFT JOIN pg_description AS d ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = a.attnum
WHERE a.attnum > 0
  AND NOT a.attisdropped
  AND NOT c.relispartition
  AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND (n.nspname !~ '^pg_(toast|temp_)' OR n.oid = pg_my_temp_schema())
ORDER BY a.attrelid, a.attnum
