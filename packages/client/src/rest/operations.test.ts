import { expect, test } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import { OPERATIONS } from './operations.ts';

test('every operation goes where the OpenAPI document has it, and none of its operations is missing', () => {
  const documented = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
  );
  const ours = Object.entries(OPERATIONS).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, { method, path }]) => [`${group}.${name}`, method, path]),
  );
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  expect(sorted(ours)).toEqual(sorted(documented));
});
