import type { Benefit } from '../../answer/eligibility-answer.ts';
import { plainText } from '../plain-text.ts';
import { OTHER_PAYER } from './benefit-codes.ts';
import type { Coverage } from './coverages-of.ts';

const NOBODY = -1;

/**
 * The rows of each coverage that tell more than a status or an amount. A row that names a coverage's plan is its own;
 * what names none is the first's. Other payers' rows are nobody's.
 */
export function rowsByCoverage(
  coverages: readonly Coverage[],
  benefits: readonly Benefit[],
): readonly Benefit[][] {
  const owners = new Int8Array(benefits.length).fill(NOBODY);
  const byName = new Map<string, number>();
  for (const [index, { places, planName }] of coverages.entries()) {
    for (const place of places) owners[place] = index;
    const plain = plainText(planName ?? '');
    if (!byName.has(plain)) byName.set(plain, index);
  }
  const unnamed = byName.get('') ?? 0;
  const rows: Benefit[][] = coverages.map(() => []);
  let place = -1;
  for (const row of benefits) {
    place += 1;
    if (row.code === OTHER_PAYER || isBare(row)) continue;
    const owner = owners[place] ?? NOBODY;
    const ofName = row.planName === null ? unnamed : byName.get(plainText(row.planName));
    rows[owner === NOBODY ? (ofName ?? 0) : owner]?.push(row);
  }
  return rows;
}

/** Whether the row names no plan, service or procedure and carries no message. */
function isBare({ planName, serviceTypes, procedures, messages, references, entities }: Benefit): boolean {
  const saidCount = serviceTypes.length + procedures.length + messages.length + references.length;
  return planName === null && saidCount + entities.length === 0;
}
