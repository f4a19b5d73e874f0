import { relative } from 'node:path';
import { dataDirOf } from '@insurance-verification/environment';
import type { Config } from '../../config/config.ts';
import type { FirstKeys } from './open-first-keys.ts';

/** The greeting's lines about the first keys, followed by an empty line; none if the operator brought a key. */
export function keyLines({ live, test }: FirstKeys, config: Config): string[] {
  if (config.bootstrapApiKey !== undefined) return [];
  if (config.production) {
    return ['  Keys: none is printed in production. The first are made with', '    iv keys first', ''];
  }
  const lines = [...linesOf('Live key', live), ...linesOf('Test key', test)];
  if (live.made === null && live.path === null) lines.push(...lostKeyLines(config));
  return [...lines, ''];
}

function linesOf(name: string, { made, path }: FirstKeys['live']): string[] {
  const kept = path === null ? 'shown this once' : `kept in ${shortPath(path)}`;
  if (made !== null) return [`  ${name}  ${made}`, `            ${kept}`];
  return path === null ? [] : [`  ${name}  ${kept}`];
}

/** The live key was made earlier, and no file holds a working one. */
function lostKeyLines({ databaseUrl, dataDir }: Config): string[] {
  const again = 'npx -y pnpm@12 iv keys first --replace';
  if (databaseUrl !== undefined)
    return ['  Live key  shown when it was made; another, with this DATABASE_URL:', `            ${again}`];
  // Without it, the command would make one for the database of the default folder.
  const folder = dataDir === dataDirOf({}) ? '' : `DATA_DIR=${shellWord(dataDir)} `;
  return ['  Live key  not kept here any more; another:', `            ${folder}${again}`];
}

/** Text as one word of a shell's command. */
export function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A path as the person would type it here. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
