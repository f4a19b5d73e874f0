import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createSchemas } from './create-schemas.ts';
import type { DEFAULT_PAYERS } from './payers.ts';

const create = (payers: unknown) => () => createSchemas({ payers: payers as typeof DEFAULT_PAYERS });

describe('createSchemas', () => {
  test('accepts the configured payers and no others', () => {
    const { Payer } = createSchemas({ payers: ['A', 'B', 'C', 'D'] });
    expect(Payer.options).toEqual(['A', 'B', 'C', 'D']);
    expect(Payer.safeParse('Payer Plan 1').success).toBe(false);
  });

  test.each([
    ['three', ['a', 'b', 'c'], 'got 3'],
    ['five', ['a', 'b', 'c', 'd', 'e'], 'got 5'],
    ['none', [], 'got 0'],
    ['a repeated', ['a', 'b', 'c', 'a'], 'number 4 repeats "a"'],
    ['an empty', ['a', '', 'c', 'd'], 'number 2 is empty'],
    ['a blank', ['a', ' \t', 'c', 'd'], 'number 2 is empty'],
    // Broke: "a" and "a " were two payers, so half the requests for one plan were refused as another's.
    ['a padded', ['a', 'a ', 'c', 'd'], 'number 2 has white space around it'],
    ['an indented', ['\u00a0a', 'b', 'c', 'd'], 'number 1 has white space around it'],
    ['a numeric', ['a', 'b', 3, 'd'], 'number 3 is not a string'],
    ['a missing', ['a', 'b', , 'd'], 'number 3 is not a string'], // oxlint-disable-line no-sparse-arrays -- the hole is the case
  ])('refuses %s payer names and says why', (_, payers, reason) => {
    expect(create(payers)).toThrow(TypeError);
    expect(create(payers)).toThrow(
      `payers must be exactly four distinct, non-empty names: ${reason}. A right example: [`,
    );
  });

  test.each([[null], [undefined], ['abcd'], [{ length: 4 }]])('refuses %j, which is no list', (payers) => {
    expect(create(payers)).toThrow('not a list');
  });

  test('makes instances that live side by side', () => {
    const first = createSchemas({ payers: ['A', 'B', 'C', 'D'] });
    const second = createSchemas({ payers: ['E', 'F', 'G', 'H'] });
    const body = { name: 'A' };
    expect(first.PayerInfo.parse(body)).toEqual(body);
    expect(second.PayerInfo.safeParse(body).success).toBe(false);
    for (const { ResponseModel, Payer } of [first, second]) {
      expect(z.toJSONSchema(ResponseModel).$defs?.['Payer']).toMatchObject({ enum: Payer.options });
      expect(z.globalRegistry.get(ResponseModel)?.id).toBe('ResponseModel');
    }
  });
});
