-- The reader may read the databases named dragoman..., and nothing else: no FILE, no PROCESS, no SUPER.
CREATE OR REPLACE USER dragoman_reader@'%' IDENTIFIED BY ':reader';
CREATE OR REPLACE USER dragoman_admin@'%' IDENTIFIED BY ':admin';
DROP USER IF EXISTS ''@'localhost';
GRANT SELECT, SHOW VIEW ON `dragoman%`.* TO dragoman_reader@'%';
GRANT ALL PRIVILEGES ON *.* TO dragoman_admin@'%' WITH GRANT OPTION;
CREATE DATABASE IF NOT EXISTS dragoman CHARACTER SET utf8mb4;
FLUSH PRIVILEGES;
