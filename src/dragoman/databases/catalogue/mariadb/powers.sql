-- Privileges of the login beyond reading, on the whole server or on any database or table.
SELECT DISTINCT privilege_type
FROM (SELECT grantee, privilege_type FROM information_schema.user_privileges
      UNION ALL SELECT grantee, privilege_type FROM information_schema.schema_privileges
      UNION ALL SELECT grantee, privilege_type FROM information_schema.table_privileges) AS p
WHERE grantee = concat('''', replace(current_user(), '@', '''@'''), '''')
  AND privilege_type NOT IN ('USAGE', 'SELECT', 'SHOW VIEW', 'SHOW DATABASES')
ORDER BY privilege_type
