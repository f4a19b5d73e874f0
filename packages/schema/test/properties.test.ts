import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  createSchemas,
  type PayerNames,
  RequestInfo,
  ResponseModel,
  toValidationErrors,
} from '../src/index.ts';
import { arbitraryOf } from './arbitrary-of.ts';
import { singleFaultOf } from './single-fault-of.ts';

const models: [string, z.ZodObject][] = [
  ['RequestInfo', RequestInfo],
  ['ResponseModel', ResponseModel],
];
const errorsOf = (model: z.ZodType, raw: unknown) =>
  toValidationErrors(model.safeParse(raw).error?.issues ?? [], raw);

describe.each(models)('%s', (_, model) => {
  test('parses every valid body to itself', () => {
    fc.assert(
      fc.property(arbitraryOf(model), (body) => {
        expect(model.parse(body)).toEqual(body);
      }),
      { numRuns: 300 },
    );
  });

  test('parses a valid body with unknown keys to the body without them', () => {
    const unknown = fc.dictionary(
      fc.string({ minLength: 8 }).map((key) => `x-${key}`),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(arbitraryOf(model), unknown, (body, extra) => {
        expect(model.parse({ ...extra, ...(body as object) })).toEqual(body);
      }),
    );
  });

  test('reports one fault where one fault is', () => {
    fc.assert(
      fc.property(singleFaultOf(model), ({ body, path }) => {
        expect(errorsOf(model, body).map(({ loc }) => loc)).toEqual([['body', ...path]]);
      }),
      { numRuns: 1000 },
    );
  });

  test('reports each location once, in a 422 of exactly three keys, whatever JSON comes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (raw) => {
        const errors = errorsOf(model, raw);
        expect(errors.length).toBeGreaterThan(0);
        expect(new Set(errors.map(({ loc }) => JSON.stringify(loc))).size).toBe(errors.length);
        for (const error of errors) expect(Object.keys(error)).toEqual(['loc', 'msg', 'type']);
      }),
      { numRuns: 500 },
    );
  });

  test('never throws on a valid body with any JSON value put anywhere', () => {
    fc.assert(
      fc.property(singleFaultOf(model), fc.jsonValue(), ({ body, path }, value) => {
        const last = path.at(-1);
        const holder = path
          .slice(0, -1)
          .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], body);
        if (last !== undefined) (holder as Record<string, unknown>)[last] = value;
        for (const { loc } of errorsOf(model, body))
          expect(loc.slice(0, path.length + 1)).toEqual(['body', ...path]);
      }),
      { numRuns: 1000 },
    );
  });
});

// A payer name may hold any character, quotes and surrogates too.
test('lists whatever payers were configured', () => {
  const names = fc.uniqueArray(
    fc.string({ minLength: 1 }).filter((name) => name.trim() === name),
    { minLength: 4, maxLength: 4 },
  );
  fc.assert(
    fc.property(names, (payers) => {
      const { Payer } = createSchemas({ payers: payers as unknown as PayerNames });
      for (const name of payers) expect(Payer.parse(name)).toBe(name);
      expect(errorsOf(z.object({ value: Payer }), { value: 1 })).toMatchObject([{ type: 'enum' }]);
    }),
  );
});
