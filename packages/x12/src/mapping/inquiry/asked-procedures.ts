import type { RequestInfo } from '@insurance-verification/schema';
import { type Procedure } from '../../parts/parts.ts';
import { procedureOfCode } from './procedure-of-code.ts';

/** A code of a request that can be asked for. */
export interface AskedProcedure extends Procedure {
  /** The spellings that the provider used. */
  readonly texts: readonly string[];
}

/** Procedures in one inquiry. With the plan and dental care, that is the number of EQs a 270 allows for a subscriber. */
const PROCEDURE_COUNT_MAX = 97;

/** The distinct codes of a request that a 270 can ask for, in request order. */
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

/** A comparison key for modifiers, ignoring case and order. Empty for none. */
export function modifiersKey({ modifiers }: Procedure): string {
  if (modifiers.length === 0) return '';
  return modifiers
    .map((modifier) => modifier.toUpperCase())
    .toSorted()
    .join('-');
}
