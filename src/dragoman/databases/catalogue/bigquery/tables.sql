SELECT t.table_schema, t.table_name, t.table_type, o.option_value AS comment, CAST(NULL AS INT64) AS row_count
FROM {dataset}.INFORMATION_SCHEMA.TABLES AS t
LEFT JOIN {dataset}.INFORMATION_SCHEMA.TABLE_OPTIONS AS o
  ON o.table_name = t.table_name AND o.option_name = 'description'
