-- MariaDB keeps JSON in a longtext with a check of the column's own name.
SELECT constraint_schema, table_name, constraint_name
FROM information_schema.check_constraints
WHERE check_clause = concat('json_valid(`', replace(constraint_name, '`', '``'), '`)')
  AND (%(database)s = '' OR constraint_schema = %(database)s)
