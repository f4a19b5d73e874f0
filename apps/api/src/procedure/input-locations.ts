import type { Operation } from '@insurance-verification/schema/contract';

/** Maps an input path to its place in the request, so that a fault is reported where the caller wrote it. */
type LocOf = (path: readonly (string | number)[]) => (string | number)[];

/** The names in `{braces}` of a REST path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Where each input field stands in the REST request; tRPC reports the same places. */
export function inputLocations({ method, path: route }: Pick<Operation, 'method' | 'path'>): LocOf {
  const inPath = new Set(pathParameters(route));
  const rest = method === 'GET' ? 'query' : 'body';
  return (path) => [inPath.has(String(path[0])) ? 'path' : rest, ...path];
}
