import { readFileSync, writeFileSync } from 'node:fs';
import { FULL, type Settings } from '../settings.ts';
import { type Figure, writeFigures } from './figures.ts';

const PAGE = new URL('../README.md', import.meta.url);

/** Writes a part's rows into README if the run was clean and of full length. Returns why not, or null. */
export function recordFigures(
  { seconds, rounds }: Settings,
  isClean: boolean,
  figures: Readonly<Record<string, Figure>>,
  measured: string,
): string | null {
  if (!isClean) return 'the run was not clean';
  if (seconds < FULL.seconds || rounds < FULL.rounds) {
    return `the run was shorter than ${FULL.rounds} rounds of ${FULL.seconds} s`;
  }
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(PAGE, writeFigures(page, figures, measured));
  return null;
}
