import type { Benefit } from '../answer/eligibility-answer.ts';
import { statusOf } from './coverages-of.ts';

/** EB13 qualifiers of CPT, HCPCS and dental codes. */
const QUALIFIERS: ReadonlySet<string> = new Set(['HC', 'CJ', 'AD']);

/** EB01 "non-covered". */
const NON_COVERED = 'I';

/** What an answer says of procedure codes. */
export interface CodeAnswers {
  /** Codes with a positive EB01 and no negative one, in the order of the answer. */
  readonly covered: readonly string[];
  /** Codes that are answered for negatively, or both ways. */
  readonly notCovered: readonly string[];
}

/** Reads EB13 of all rows. A range of codes speaks for those of `asked` that lie in it. */
export function codeAnswers(benefits: readonly Benefit[], asked: readonly string[]): CodeAnswers {
  const positive = new Set<string>();
  const negative = new Set<string>();
  for (const row of benefits) {
    const isCovered = statusOf(row) === 'Active';
    const isRefused = row.code === NON_COVERED || statusOf(row) === 'Inactive';
    if (!isCovered && !isRefused) continue;
    // What only other providers are not paid for is covered.
    if (isRefused && row.inNetwork === 'N') continue;
    for (const code of codesOf(row, asked)) (isCovered ? positive : negative).add(code);
  }
  return {
    covered: [...positive].filter((code) => !negative.has(code)),
    notCovered: [...negative],
  };
}

function codesOf({ procedure }: Benefit, asked: readonly string[]): readonly string[] {
  if (procedure === null || !QUALIFIERS.has(procedure.qualifier.toUpperCase())) return [];
  const first = procedure.code.toUpperCase();
  const last = procedure.lastCode?.toUpperCase();
  if (last === undefined) return [first];
  return asked.filter((code) => code.length === first.length && code >= first && code <= last);
}
