import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../scripts/generated-files.ts';
import {
  createJsonSchemas,
  createSchemas,
  DEFAULT_PAYERS,
  type PayerNames,
  RequestInfo,
  ResponseModel,
  SPEC_MODEL_NAMES,
  toValidationErrors,
} from '../src/index.ts';

const folder = (name: string): URL => new URL(`../${name}/`, import.meta.url);
const fixturesIn = (name: string) =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder('fixtures')), 'utf8')) as {
    name: string;
    body: unknown;
    detail?: unknown;
  }[];

// Other teams read these files: a change in them is a change in the contract and needs a changeset.
test.each([...generatedFiles()])('%s is up to date (else run `generate`)', (name, text) => {
  expect(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')).toBe(text);
});

test('leaves no file over that is not generated', () => {
  const files = ['json-schema', 'fixtures'].flatMap((name) =>
    readdirSync(folder(name)).map((file) => `${name}/${file}`),
  );
  expect(files.toSorted()).toEqual([...generatedFiles().keys()].toSorted());
});

describe('createJsonSchemas', () => {
  const schemas = createJsonSchemas({ payers: ['Plan A', 'Plan B', 'Plan C', 'Plan D'] });

  test('has every model of the spec, over the given payers', () => {
    expect(Object.keys(schemas)).toEqual(SPEC_MODEL_NAMES);
    expect(schemas.Payer.enum).toEqual(['Plan A', 'Plan B', 'Plan C', 'Plan D']);
    expect(schemas.ResponseModel.$defs?.['Payer']).toMatchObject({ enum: schemas.Payer.enum });
  });

  test.each(Object.entries(schemas))('%s refers only to its own $defs', (name, schema) => {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', title: name });
    const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '');
    for (const ref of refs) expect(Object.keys(schema.$defs ?? {})).toContain(ref.replace('#/$defs/', ''));
  });

  // A validator that is given two documents under one name refuses the second, or takes it for the first.
  test('gives each document a name of its own, the same for the same payers', () => {
    const idsFor = (payers: PayerNames) => Object.values(createJsonSchemas({ payers })).map(({ $id }) => $id);
    const own = idsFor(['Plan A', 'Plan B', 'Plan C', 'Plan D']);
    const others = [...idsFor(DEFAULT_PAYERS), ...idsFor(['Plan A', 'Plan B', 'Plan D', 'Plan C'])];
    expect(new Set([...own, ...others]).size).toBe(3 * SPEC_MODEL_NAMES.length);
    expect(Object.values(schemas).map(({ $id }) => $id)).toEqual(own);
    expect(schemas.Payer.$id).toBe(
      'urn:insurance-verification:schema:v1:Payer:Plan%20A:Plan%20B:Plan%20C:Plan%20D',
    );
    expect(createJsonSchemas({ payers: DEFAULT_PAYERS }).Payer.$id).toBe(
      'urn:insurance-verification:schema:v1:Payer',
    );
  });

  test('refuses wrong payers as createSchemas does', () => {
    expect(() => createJsonSchemas({ payers: ['a', 'a', 'b', 'c'] })).toThrow('number 2 repeats "a"');
  });
});

describe.each([
  ['request-info', RequestInfo],
  ['response-model', ResponseModel],
])('the fixtures of %s', (name, model) => {
  test.each(fixturesIn(`${name}-valid`))('accepts $name', ({ body }) => {
    expect(model.safeParse(body).error).toBeUndefined();
  });

  test.each(fixturesIn(`${name}-invalid`))('refuses $name', ({ body, detail }) => {
    expect(toValidationErrors(model.safeParse(body).error?.issues ?? [], body)).toEqual(detail);
  });

  test('have names of their own', () => {
    const names = [...fixturesIn(`${name}-valid`), ...fixturesIn(`${name}-invalid`)].map((row) => row.name);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('makes the same models for the same payers', () => {
  const { RequestInfo: again } = createSchemas({
    payers: ['Payer Plan 1', 'Payer Plan 2', 'Payer Plan 3', 'Payer Plan 4'],
  });
  for (const { body } of fixturesIn('request-info-valid'))
    expect(again.parse(body)).toEqual(RequestInfo.parse(body));
});
