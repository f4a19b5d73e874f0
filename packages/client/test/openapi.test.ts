import { expect, test } from 'vitest';
import openapi from '../openapi.json' with { type: 'json' };
import { ROUTES } from '../src/router/operations.ts';

// Breaks when a route moves, or the document that clients are made from is not written anew.
test('the document has the operations of the table, each at its route, and no other', () => {
  const documented = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [operationId, method.toUpperCase(), path]),
  );
  const ours = Object.entries(ROUTES).map(([name, { method, path }]) => [name, method, path]);
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  expect(sorted(ours)).toEqual(sorted(documented));
});
