import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SOURCES = fileURLToPath(new URL('.', import.meta.url));

/** Each source of the package with its text, tests apart. */
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(`${SOURCES}${name}`, 'utf8') }));

// Broke: two locks were numbered where they are taken, one of them by a hash that might be another's number.
test('every advisory lock is named in locks.ts', () => {
  const taken = sources.flatMap(({ name, text }) =>
    [...text.matchAll(/advisory(?:_xact)?_lock(?:_shared)?\((\W*\w+)/g)].map(([, first]) => [name, first]),
  );
  const named = /^(\$\{(PAIR_)?LOCKS|\$1|turns|holding)$/; // a parameter's value is of LOCKS, as its name says there
  expect(taken.length).toBeGreaterThan(10);
  expect(taken.filter(([, first = '']) => !named.test(first))).toEqual([]);
});

// Broke: two had a number in their text that no editor and no database could read there.
test('every function of the database is a constant: its text has no expressions', () => {
  const functions = sources.filter(({ name }) => name.endsWith('.sql.ts'));
  const list = sources.find(({ name }) => name === 'migrations/database-functions.ts')?.text ?? '';
  const listed = [...list.matchAll(/from '\.\.\/(.+\.sql\.ts)'/g)].map(([, name]) => name);
  expect(functions.map(({ name }) => name).toSorted()).toEqual(listed.toSorted());
  expect(functions.filter(({ text }) => text.includes('${')).map(({ name }) => name)).toEqual([]);
});
