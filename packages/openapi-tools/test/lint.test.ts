import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { type Document, readDocument } from './read-document.ts';

/** Rules of Spectral's recommended set that the document breaks on purpose. */
const SPECTRAL_OFF = {
  'path-keys-no-trailing-slash': 'off', // the contract's path is `/requests/`; the service also answers `/requests`
  'info-contact': 'off', // the operator of a service is its contact, unknown to the document
} as const;

/** Rules of Redocly's recommended set that the document breaks on purpose. */
const REDOCLY_OFF = {
  'no-path-trailing-slash': 'off', // as above
} as const;

async function lintWithSpectral(document: Document): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  const recommended = rulesets.oas as RulesetDefinition;
  spectral.setRuleset({ extends: [[recommended, 'recommended']], rules: SPECTRAL_OFF });
  const faults = await spectral.run(document as unknown as Record<string, unknown>);
  return faults.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`);
}

async function lintWithRedocly(document: Document): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: REDOCLY_OFF });
  const faults = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  });
  return faults.map(({ ruleId, location, message }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

const linters = [
  {
    name: 'Spectral',
    lint: lintWithSpectral,
    ofExample: /^oas3-valid-media-example at paths\.\/requests\//,
    ofDescription: /^operation-description/,
  },
  {
    name: 'Redocly',
    lint: lintWithRedocly,
    ofExample: /^no-invalid-media-type-examples at #\/paths\/~1requests/,
    ofDescription: null,
  },
];

test.each(linters)('$name finds no fault in the document', async ({ lint }) => {
  expect(await lint(readDocument())).toEqual([]);
});

// Otherwise the test above might pass because nothing is linted.
test.each(linters)(
  '$name finds the faults of one that has some',
  async ({ lint, ofExample, ofDescription }) => {
    const document = readDocument();
    const path = document.paths['/requests/'];
    const create = path?.['post'];
    if (!path || !create?.requestBody) throw new Error('There is no create.');
    document.paths = { '/requests/': path }; // the others take most of a linter's time
    Object.assign(create.requestBody.content['application/json'].examples['member']?.value ?? {}, {
      callback_url: 5,
    });
    delete create.description;
    const faults = await lint(document);
    expect(faults).toContainEqual(expect.stringMatching(ofExample));
    if (ofDescription) expect(faults).toContainEqual(expect.stringMatching(ofDescription));
  },
);
