-- What the service knows of the server itself.

-- Takes the rows by which a process finds out whether a full disk takes a page again: each fills more than half of one, so
-- that it needs a page of its own, and is rolled back. Never vacuumed, which would make room for the next row.
create unlogged table page_probe (
  page bytea not null
) with (autovacuum_enabled = false);
alter table page_probe alter column page set storage plain;

-- The timeline of PostgreSQL that the service has seen last, one row: each promotion of a standby begins a higher one.
create table server_timeline (
  only_row boolean     primary key default true check (only_row),
  timeline bigint      not null check (timeline >= 0),                 -- 0: none seen yet
  seen_at  timestamptz not null default now()
);
insert into server_timeline (timeline) values (0);
