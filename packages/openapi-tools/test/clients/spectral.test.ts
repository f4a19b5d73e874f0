import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { type Document, readDocument } from '../read-document.ts';

// Not in the ordinary suite, which has Redocly: Spectral takes half a minute of CPU.

/** Rules of Spectral's recommended set that the document breaks on purpose. */
const OFF = {
  'path-keys-no-trailing-slash': 'off', // the contract's path is `/requests/`; the service also answers `/requests`
  'info-contact': 'off', // the operator of a service is its contact, unknown to the document
} as const;

async function lint(document: Document): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  const recommended = rulesets.oas as RulesetDefinition;
  spectral.setRuleset({ extends: [[recommended, 'recommended']], rules: OFF });
  const faults = await spectral.run(document as unknown as Record<string, unknown>);
  return faults.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);
}

test('Spectral finds no fault in the document', { timeout: 300_000 }, async () => {
  expect(await lint(readDocument())).toEqual([]);
});

// Otherwise the test above might pass because nothing is linted.
test('Spectral finds the faults of one that has some', async () => {
  const document = readDocument();
  const path = document.paths['/requests/'];
  const create = path?.['post'];
  if (!path || !create?.requestBody) throw new Error('There is no create.');
  document.paths = { '/requests/': path }; // the others take most of its time
  Object.assign(create.requestBody.content['application/json'].examples['member']?.value ?? {}, {
    callback_url: 5,
  });
  delete create.description;
  const faults = await lint(document);
  expect(faults).toContainEqual(expect.stringMatching(/^oas3-valid-media-example at paths\.\/requests\//));
  expect(faults).toContainEqual(expect.stringMatching(/^operation-description/));
});
