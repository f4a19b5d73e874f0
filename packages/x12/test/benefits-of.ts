import type { Benefit } from '@insurance-verification/schema';
import { expect } from 'vitest';
import { type Finding, readFinding, readKeptRows } from '../src/index.ts';
import { aContext } from './a-271.ts';

/** The entries of an answer with their rows. */
export function benefitsOf(text: string) {
  const finding = readFinding(text, aContext());
  return finding.kind === 'result' ? readAll(finding) : [];
}

export function readAll({ benefits }: Extract<Finding, { kind: 'result' }>) {
  return benefits.map(({ rows, ...rest }) => ({ ...rest, benefits: readKeptRows(rows) }));
}

/** All rows of an answer by their positions. */
export function rowsOf(found: ReturnType<typeof benefitsOf>) {
  const rows = found.flatMap(({ benefits }) => benefits);
  const placeOf = ({ source }: Benefit) => (source.kind === 'x12' ? source.row : -1);
  for (const { benefits } of found)
    expect(benefits.map(placeOf)).toEqual(benefits.map(placeOf).toSorted((one, other) => one - other));
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

export const segmentsOf = ({ source }: Benefit) => (source.kind === 'x12' ? source.segments : []);
