import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import { beforeAll, describe, expect, test } from 'vitest';
import { lastRelease } from '../src/baseline.ts';
import { aContract, type Edited } from '../test/edit.ts';
import { BREAKING, COMPATIBLE } from '../test/seeded-changes.ts';

const VERSION = 'v1.37.0';

let bin: string;
beforeAll(async () => {
  bin = await installOnce(`oasdiff-${VERSION}`, (empty) =>
    run('go', ['install', `github.com/oasdiff/oasdiff@${VERSION}`], {
      env: { ...process.env, GOBIN: empty },
    }),
  );
}, INSTALL_PATIENCE_MS);

/** The changes that oasdiff and the rules judge differently, each with the reason. Only its errors and warnings count. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  'an operation gets another id': 'for oasdiff information; a generated client names its method by it',
  'an answer has another media type':
    'oasdiff takes application/hal+json for a special application/json; a caller compares the texts',
  'a create may answer 202 too':
    'for oasdiff information; a caller that compares with 200 takes it for a failure',
  'an error is no longer documented':
    'for oasdiff information; a generated client has a type for each status',
  'a header of an answer is gone': 'for oasdiff information, as the header is optional; programs read it',
  'a component is renamed': 'for oasdiff information; a generated client names its class by it',
  'unknown members of a request are refused': 'oasdiff does not compare additionalProperties',
  'a default changes': 'for oasdiff information; a caller that sends no limit gets another answer',
  'a constant changes': 'oasdiff does not compare the constant of a header',
  'a header of the webhook may be absent':
    'oasdiff takes the service for the receiver of the webhook; it is the sender',
  'a new value of an enumeration': 'the versions promise that a reader expects new values',
  'an address may be longer': 'a returned request has only what the provider posted',
  'an address may be empty': 'a returned request has only what the provider posted',
  'null in a choice or in a list of types': 'the same values in another notation',
};

const textOf = ({ document }: Pick<Edited, 'document'>) => JSON.stringify(document);
const before = textOf(lastRelease());

/** The document after a change; null where the change is not in the document. */
function changedDocument(edit: (contract: Edited) => void): string | null {
  const contract = aContract();
  edit(contract);
  const now = textOf(contract);
  return now === before ? null : now;
}

const CHANGES = [
  ...BREAKING.map(([what, , , edit]) => ({ what, breaks: true, now: changedDocument(edit) })),
  ...COMPATIBLE.map(([what, edit]) => ({ what, breaks: false, now: changedDocument(edit) })),
].filter(({ now }) => now !== null);

// A second opinion on the rules, as far as the document goes.
describe('oasdiff', () => {
  test.each(CHANGES)('judges as the rules do, or is a difference: $what', async ({ what, breaks, now }) => {
    const folder = aFolder();
    writeFileSync(join(folder, 'before.json'), before);
    writeFileSync(join(folder, 'now.json'), now ?? '');
    const args = ['breaking', '--format', 'json', 'before.json', 'now.json'];
    const found = JSON.parse(await run(join(bin, 'oasdiff'), args, { cwd: folder })) as unknown[];
    expect(found.length > 0 === breaks ? 'the same' : 'different').toBe(
      what in DIFFERENCES ? 'different' : 'the same',
    );
  });

  test('has a difference only for what is a change', () => {
    expect(CHANGES.map(({ what }) => what)).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES)));
  });
});
