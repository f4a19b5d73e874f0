-- The tables of the service, for PostgreSQL 15 and later, in reading order: `cat schema/*.sql | psql -1 -v ON_ERROR_STOP=1`.
-- Whatever is `bytea` is sealed (AES-256-GCM, see apps/docs/guarantees.md) or a digest; nothing else tells of a patient.
-- A row with a `mac` gives power: where that is wrong, the row counts as absent (see src/row-macs/covered-columns.ts).
-- Times are the database's own clock. Functions that operations call are not here: they stand beside their operation.

create domain issued_id as text collate "C"; -- a TypeID: a prefix, `_`, and a UUIDv7 in base32. It sorts by the time of issue

-- Which schema this is. One row; a service that knows another digest leaves the database alone.
create table schema_version (
  id     boolean     primary key default true check (id),
  digest text        not null,                            -- SHA-256 of the files of this folder, in hexadecimal
  build  text        not null,                            -- what made the tables: a commit, or a version
  at     timestamptz not null default now()
);
