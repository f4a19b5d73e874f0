import type { RequestInfo } from '@insurance-verification/schema';
import type { Procedure } from '../inquiry/eligibility-inquiry.ts';
import { procedureOfCode } from './procedure-of-code.ts';

/** A code of a request that can be asked for. */
export interface AskedProcedure extends Procedure {
  /** As the provider wrote it; several, where it was written in several ways. */
  readonly texts: readonly string[];
}

/** Procedures in one inquiry: with the plan as a whole, as many EQ as the 270 allows for a subscriber. */
const PROCEDURE_COUNT_MAX = 98;

/** The codes of a request that can be asked for, each once, in the order of the request. */
export function askedProcedures({ cpt_code_coverage: codes }: RequestInfo): readonly AskedProcedure[] {
  const byKey = new Map<string, Procedure & { texts: string[] }>();
  for (const text of new Set(codes)) {
    const procedure = procedureOfCode(text);
    if (procedure === null) continue;
    const key = [procedure.code, modifiersKey(procedure)].join('-');
    const known = byKey.get(key);
    if (known) known.texts.push(text);
    else if (byKey.size < PROCEDURE_COUNT_MAX) byKey.set(key, { ...procedure, texts: [text] });
  }
  return [...byKey.values()];
}

/** What modifiers are compared by: case and order say nothing. Empty for none. */
export function modifiersKey({ modifiers }: Procedure): string {
  if (modifiers.length === 0) return '';
  return modifiers
    .map((modifier) => modifier.toUpperCase())
    .toSorted()
    .join('-');
}
