-- When and how far the tables' data have changed, as far as the storage engine says.
SELECT count(*), max(create_time), max(update_time), sum(table_rows), sum(data_length)
FROM information_schema.tables
WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')
  AND (%(database)s = '' OR table_schema = %(database)s)
