import { expect, test } from 'vitest';
import { warnOfUnencryptedDatabase } from './warn-at-start.ts';

function warnings(
  databaseUrl: string | undefined,
  { production = true, direct = undefined as string | undefined } = {},
) {
  const logged: unknown[] = [];
  const log = { warn: (...args: unknown[]) => void logged.push(args) };
  const sourceOf = (name: string) => `${name}_FILE`;
  warnOfUnencryptedDatabase({ production, databaseUrl, databaseDirectUrl: direct, sourceOf }, log);
  return logged;
}

// Broke: patients' data and the database's password went over a network in clear, and nothing said so.
test.each([
  'postgres://u:hunter2@db.internal/d',
  'postgres://u:hunter2@10.0.0.5,10.0.0.6/d?sslmode=disable',
  'postgres://u:hunter2@127.0.0.1,db.internal/d',
  'postgres://u:hunter2@[2001:db8::1]/d',
])('in production %s is warned of', (url) => {
  const [logged] = warnings(url);
  expect(logged).toEqual([
    { variable: 'DATABASE_URL_FILE' },
    'the connection to the database is not encrypted: anyone on the network path can read and change it; add sslmode=verify-full',
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/hunter2|db\.internal/);
});

test.each([
  'postgres://u@db.internal/d?sslmode=verify-full',
  'postgres://u@db.internal/d?sslmode=require',
  'postgres://u@db.internal/d?sslrootcert=/ca.pem',
  'postgres://u@localhost/d',
  'postgres://u@127.0.0.1:5433,[::1]/d',
  'postgres:///d?host=/run/postgresql',
  'postgres://u@%2Frun%2Fpostgresql/d',
  undefined,
])('with TLS, on this machine or embedded it is not: %s', (url) => {
  expect(warnings(url)).toEqual([]);
});

test('the address past a pooler is looked at as well, and outside of production none is', () => {
  const direct = 'postgres://u@db.internal/d';
  expect(warnings('postgres://u@localhost/d', { direct })).toEqual([
    [{ variable: 'DATABASE_DIRECT_URL_FILE' }, expect.any(String)],
  ]);
  expect(warnings(direct, { production: false, direct })).toEqual([]);
});
