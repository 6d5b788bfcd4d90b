-- Primary and unique keys, column by column. A key over an expression has columns without a name and is left out.
SELECT table_schema, table_name, index_name, column_name
FROM information_schema.statistics
WHERE non_unique = 0
  AND table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')
  AND (%(database)s = '' OR table_schema = %(database)s)
ORDER BY table_schema, table_name, index_name, seq_in_index
