import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { repositoryFiles, textOf } from './pages.ts';

/** Each published package, with the files that show what its users see. */
const SURFACES: Readonly<Record<string, readonly RegExp[]>> = {
  client: [/^packages\/client\/test\/golden\/exported-names\.txt$/, /^packages\/client\/openapi\.json$/],
  schema: [/^packages\/schema\/test\/golden\/exported-names\.txt$/, /^packages\/schema\/json-schema\//],
  webhook: [/^packages\/webhook\/src\/(?:index|verify)\.ts$/],
  x12: [/^packages\/x12\/test\/golden\/exported-names\.txt$/],
};

/** What a document says in words. A better sentence is no change that a release must name. */
const WORDS = new Set(['title', 'summary', 'description', 'example', 'examples']);

const written = textOf('.ci/golden/published.txt').split('\n');

// Breaks when a published package changes and a release would not name the change, in a changeset or in the changelog. A
// changeset may name several changes: one that is edited counts as new.
test.each(Object.keys(SURFACES))('a change of %s comes with a changeset that names it', (name) => {
  const [, surface, changesets] = written.find((line) => line.startsWith(`${name} `))?.split(' ') ?? [];
  if (surfaceOf(name) === surface) return;
  expect(changesetsOf(name), 'npx -y pnpm@12 changeset').not.toBe(changesets);
});

// After the test above: `-u` writes a new surface down only next to a new changeset.
test('what each published package shows is written down', async () => {
  const lines = Object.keys(SURFACES).map((name) => {
    const line = written.find((before) => before.startsWith(`${name} `)) ?? '';
    const [, surface, changesets] = line.split(' ');
    const isAsWritten = surfaceOf(name) === surface || changesetsOf(name) === changesets;
    return isAsWritten ? line : `${name} ${surfaceOf(name)} ${changesetsOf(name)}`;
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/published.txt');
});

test('a document is the same in other words, and another with a new member', () => {
  const before = '{"properties":{"name":{"type":"string","description":"The name."}}}';
  expect(structureOf(before.replace('The name', 'A name'))).toBe(structureOf(before));
  expect(structureOf(before.replace('"name"', '"title"'))).not.toBe(structureOf(before));
});

function surfaceOf(name: string): string {
  const files = repositoryFiles.filter((file) => SURFACES[name]?.some((pattern) => pattern.test(file)));
  return digestOf(files.map((file) => (file.endsWith('.json') ? structureOf(textOf(file)) : textOf(file))));
}

function changesetsOf(name: string): string {
  const all = repositoryFiles.filter((file) => /^\.changeset\/[\w-]+\.md$/.test(file)).map(textOf);
  const own = all.filter((text) => text.includes(`'@insurance-verification/${name}':`));
  // Before a version is published its changes may be in its changelog at once.
  return digestOf([...own, textOf(`packages/${name}/CHANGELOG.md`)]);
}

/** A JSON document without its {@link WORDS}, and its members in order of their names. */
function structureOf(text: string): string {
  const bare = (value: unknown, isOfNames = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => bare(item));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value)
      .filter(([member]) => isOfNames || !WORDS.has(member))
      .map(([member, inner]) => [member, bare(inner, member === 'properties')] as const);
    return Object.fromEntries(members.toSorted(([one], [other]) => one.localeCompare(other)));
  };
  return JSON.stringify(bare(JSON.parse(text)));
}

const digestOf = (texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 16);
