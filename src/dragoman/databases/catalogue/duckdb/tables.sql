-- Tables and views of this database and the session's temporary views.
SELECT schema_name, table_name, 'table' AS kind, comment, estimated_size
FROM duckdb_tables()
WHERE NOT internal AND database_name = current_database()
UNION ALL
SELECT CASE database_name WHEN 'temp' THEN '' ELSE schema_name END, view_name, 'view', comment, NULL
FROM duckdb_views()
WHERE NOT internal AND database_name IN (current_database(), 'temp')
ORDER BY 1, 2
