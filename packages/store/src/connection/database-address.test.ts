import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseDatabaseAddress } from './database-address.ts';

const hostsOf = (url: string) => parseDatabaseAddress(url).hosts.map(({ host, port }) => `${host} ${port}`);

test('a URL of libpq names its parts, escaped or as parameters', () => {
  expect(parseDatabaseAddress('postgres://ann:p%40ss%2Fword@db.example/eligibility')).toMatchObject({
    hosts: [{ host: 'db.example', port: 5432 }],
    user: 'ann',
    password: 'p@ss/word',
    database: 'eligibility',
    sslMode: 'disable',
  });
  expect(
    parseDatabaseAddress(
      'postgresql:///?host=db.example&port=5433&user=ann&password=p&dbname=d&application_name=a',
    ),
  ).toMatchObject({
    hosts: [{ host: 'db.example', port: 5433 }],
    user: 'ann',
    password: 'p',
    database: 'd',
    applicationName: 'a',
  });
});

// Broke: a plus in a password was read as a space, and the start refused with a wrong password.
test('a parameter means what it means to libpq, a plus itself too', () => {
  expect(parseDatabaseAddress('postgres://h/d?user=a%20b&password=p+q=%2B%25')).toMatchObject({
    user: 'a b',
    password: 'p+q=+%',
  });
});

test.each([
  ['postgres://u@h1,h2:5433/d', ['h1 5432', 'h2 5433']],
  ['postgres://u@h1,h2,h3/d?port=6432', ['h1 6432', 'h2 6432', 'h3 6432']],
  ['postgres:///d?host=h1,h2&port=1,2&target_session_attrs=read-write', ['h1 1', 'h2 2']],
  ['postgres://u@[::1]:5433,[2001:db8::1]/d?target_session_attrs=primary', ['::1 5433', '2001:db8::1 5432']],
  ['postgres:///d?host=/run/postgresql', ['/run/postgresql 5432']],
  ['postgres://%2Frun%2Fpostgresql:5433/d', ['/run/postgresql 5433']],
  ['postgres:///d', ['localhost 5432']],
])('%s leads to its servers', (url, hosts) => {
  expect(hostsOf(url)).toEqual(hosts);
});

// Without it a misspelt or unknown parameter would be ignored, and a connection meant to be encrypted would be open.
test.each([
  ['mysql://u:secret@h/d', 'expected postgres://user:password@host:5432/database'],
  ['postgres://u:se@cret@h/d', 'expected postgres://user:password@host:5432/database'],
  ['postgres://u:secret@h/d?ssl=true', 'the parameter ssl is not known here; known are host, port,'],
  ['postgres://u:secret@h/d?sslmode=prefer', 'sslmode=prefer is not known here; expected disable, require,'],
  ['postgres://u:secret@h/d?sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert'],
  ['postgres://u:secret@h/d?sslmode=verify-ca&sslrootcert=system', 'sslmode=verify-ca needs sslrootcert'],
  ['postgres://u:secret@h/d?sslmode=require&sslrootcert=system', 'sslmode=require may not be used with'],
  ['postgres://u:secret@h/d?sslmode=disable&sslrootcert=system', 'sslmode=disable may not be used with'],
  ['postgres://u:secret@h/d?sslmode=require&sslcert=c.pem', 'sslcert and sslkey go together'],
  ['postgres://u:secret@h/d?channel_binding=require', 'channel_binding is not known here; leave it out'],
  ['postgres://u:secret@h/d?options=-csearch_path%3Da', 'options is not known here; a pooler drops it'],
  ['postgres://u:secret@h/d?target_session_attrs=any', 'target_session_attrs=any: the service writes'],
  ['postgres://u:secret@h1,h2/d?port=1,2,3', 'port names 3 ports for 2 hosts'],
  ['postgres://u:secret@h:0/d', 'expected ports of 1 to 65535'],
  ['postgres://u:secret@h:x/d', 'expected ports of 1 to 65535'],
  ['postgres://u:secret@h1,,h2/d', 'expected a host, or several'],
  ['postgres://u:secret%@h/d', 'a % in it must begin an escape'],
  ['postgres://u@h/d?password=secret%', 'a % in it must begin an escape'],
])('%s is refused by name, without its password', (url, message) => {
  expect(() => parseDatabaseAddress(url)).toThrow(message);
  expect(() => parseDatabaseAddress(url)).not.toThrow('secret');
});

test('certificates without an sslmode are checked in full', () => {
  expect(parseDatabaseAddress('postgres://u@h/d?sslrootcert=system').sslMode).toBe('verify-full');
});

// Without it a parameter could come that nobody is told of.
test('the guide has a row for each parameter', () => {
  const guide = readFileSync(new URL('../../../../apps/docs/configuration.md', import.meta.url), 'utf8');
  const refusal = () => parseDatabaseAddress('postgres://h/d?other=1');
  const [, known = ''] = /known are (.+)$/.exec(String(thrownBy(refusal))) ?? [];
  const names = known.split(', ');
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !guide.includes(`${name}=`))).toEqual([]);
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (err) {
    return err;
  }
  throw new Error('Nothing was thrown.');
}
