-- Every table, view, materialised view, foreign table and partition, with what the account may do with it.
SELECT c.oid,
       CASE WHEN n.oid = pg_my_temp_schema() THEN 'pg_temp' ELSE n.nspname END,
       c.relname,
       c.relkind,
       d.description,
       c.reltuples::bigint,
       has_schema_privilege(n.oid, 'USAGE'),
       has_table_privilege(c.oid, 'SELECT'),
       has_any_column_privilege(c.oid, 'SELECT'),
       CASE WHEN c.relispartition THEN i.inhparent END
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
LEFT JOIN pg_description AS d ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass AND d.objsubid = 0
LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid AND c.relispartition
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema')
  AND (n.nspname !~ '^pg_(toast|temp_)' OR n.oid = pg_my_temp_schema())
  AND NOT EXISTS (
    SELECT 1 FROM pg_depend AS e
    WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.objsubid = 0 AND e.deptype = 'e'
  )
ORDER BY n.nspname, c.relname
