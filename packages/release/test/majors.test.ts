import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { majorsOf } from '../src/majors.ts';

test('only the packages for which a changeset says major', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changesets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const changesets = [
    "---\n'@x/schema': major\n\"@x/client\": minor\n---\n\n'@x/webhook': major\n",
    '---\n"@x/x12": major\n---\n\nText.\n',
  ];
  for (const [index, text] of changesets.entries()) writeFileSync(join(folder, `${index}.md`), text);
  writeFileSync(join(folder, 'config.json'), '{}');
  expect([...majorsOf(folder)].toSorted()).toEqual(['@x/schema', '@x/x12']);
});
