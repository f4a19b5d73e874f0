import { relative } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { FirstKeys } from './open-first-keys.ts';

/** The greeting's lines about the first keys, followed by an empty line; none if the operator brought a key. */
export function keyLines({ live, test }: FirstKeys, config: Config): string[] {
  if (config.bootstrapApiKey !== undefined) return [];
  if (config.production) {
    return ['  Keys: none is printed in production. The first are made with', '    iv keys first', ''];
  }
  const told = [...toldOf('Live key', live), ...toldOf('Test key', test)];
  if (live.made === null && live.path === null) told.push(...lostKeyLines(config));
  return [...told, ''];
}

function toldOf(name: string, { made, path }: FirstKeys['live']): string[] {
  const kept = path === null ? 'shown this once' : `kept in ${shortPath(path)}`;
  if (made !== null) return [`  ${name}  ${made}`, `            ${kept}`];
  return path === null ? [] : [`  ${name}  ${kept}`];
}

/** The live key was made earlier, and no file holds a working one. */
function lostKeyLines({ databaseUrl }: Config): string[] {
  const where = databaseUrl === undefined ? 'not kept here any more' : 'shown when it was made';
  return [`  Live key  ${where}; another:`, '            npx -y pnpm@12 iv keys first --replace'];
}

/** A path as the person would type it here. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
