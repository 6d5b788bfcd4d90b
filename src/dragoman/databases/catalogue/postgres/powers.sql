-- What the login may do beyond reading.
SELECT r.rolsuper,
       r.rolcreaterole OR r.rolcreatedb OR r.rolreplication OR r.rolbypassrls,
       pg_has_role(r.oid, 'pg_read_server_files', 'USAGE') OR pg_has_role(r.oid, 'pg_write_server_files', 'USAGE')
         OR pg_has_role(r.oid, 'pg_execute_server_program', 'USAGE'),
       (SELECT count(*) FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        WHERE c.relkind IN ('r', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
          AND n.nspname !~ '^pg_(toast|temp_)'
          AND has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))
FROM pg_roles AS r
WHERE r.rolname = current_user
