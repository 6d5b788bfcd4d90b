-- Changes with every change of a table's definition, comment or privileges; no table's data are read.
SELECT count(*),
       sum(crc32(concat_ws('\t', table_schema, table_name, column_name, ordinal_position, column_type, column_key,
                           is_nullable, column_comment, privileges)))
FROM information_schema.columns
WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')
  AND (%(database)s = '' OR table_schema = %(database)s)
