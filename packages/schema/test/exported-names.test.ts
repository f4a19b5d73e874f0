import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as exported from '../src/index.ts';

const read = (file: string) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');
const barrel = read('index.ts');
const rooms = [...barrel.matchAll(/^export \* from '\.\/(.+)';$/gm)].map(([, file = '']) => read(file));

/** Every name in the export lists of the barrel and of its rooms', types marked. */
const names = [...[barrel, ...rooms].join('\n').matchAll(/^export (type )?\{([^}]+)\}/gm)]
  .flatMap(([, isType = '', list = '']) =>
    list.split(',').map((name) => (isType + name).replaceAll(/\s+/g, ' ').trim()),
  )
  .filter((name) => name !== '')
  .toSorted();

// A name that disappears breaks whoever imports it; a new one is a promise. Both need a changeset.
test('exports exactly the names of the golden file', async () => {
  await expect(`${names.join('\n')}\n`).toMatchFileSnapshot('golden/exported-names.txt');
});

test('exports each value it lists', () => {
  const values = names.filter((name) => !name.startsWith('type '));
  expect(Object.keys(exported).toSorted()).toEqual(values.toSorted());
});
