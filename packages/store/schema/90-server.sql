-- What the service knows of the server itself.

-- Takes the rows by which a process finds out whether a full disk takes a page again: each fills more than half of one, so
-- that it needs a page of its own, and is rolled back. Never vacuumed, which would make room for the next row.
create unlogged table page_probe (
  page bytea not null
) with (autovacuum_enabled = false);
alter table page_probe alter column page set storage plain;
