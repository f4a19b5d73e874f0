import type { Meta } from './meta.ts';
import type { LocOf } from './problem.ts';

/** The names in `{braces}` of a REST path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Where each input field stands in the REST request; the tRPC door reports the same places. */
export function inputLocations(meta: Meta | undefined): LocOf {
  const openapi = meta?.openapi;
  const inPath = new Set(openapi ? pathParameters(openapi.path) : []);
  const rest = openapi?.method === 'GET' ? 'query' : 'body';
  return (path) => [inPath.has(String(path[0])) ? 'path' : rest, ...path];
}
