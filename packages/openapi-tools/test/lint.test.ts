import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { type Document, readDocument } from './read-document.ts';

/** Rules of Redocly's recommended set that the document breaks on purpose. */
const OFF = {
  'no-path-trailing-slash': 'off', // the contract's path is `/requests/`; the service also answers `/requests`
} as const;

async function lint(document: Document): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: OFF });
  const faults = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  return faults.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

test('Redocly finds no fault in the document', async () => {
  expect(await lint(readDocument())).toEqual([]);
});

// Otherwise the test above might pass because nothing is linted.
test('Redocly finds the fault of one that has one', async () => {
  const document = readDocument();
  Object.assign(
    document.paths['/requests/']?.['post']?.requestBody?.content['application/json'].examples['member']
      ?.value ?? {},
    { callback_url: 5 },
  );
  expect(await lint(document)).toContainEqual(
    expect.stringMatching(/^no-invalid-media-type-examples at #\/paths\/~1requests/),
  );
});
