import type { Benefit } from '../../answer/eligibility-answer.ts';
import { payerNameAmong } from '../member/payer-among.ts';
import { plainText } from '../plain-text.ts';
import { NON_COVERED, statusOf, WHOLE_PLAN } from './benefit-codes.ts';
import type { Coverage } from './coverages-of.ts';
import { excludes, planPeriod } from './plan-period.ts';

/**
 * What the payer says of single services against their coverage, and to whom it refers: the dental benefit that ended
 * beside an active plan, the company that knows of it. Told in notes, since the status is that of the plan. Of a service
 * of which rows say both (by network, by kind of visit) their messages tell more.
 */
export function serviceNotes(coverage: Coverage, own: readonly Benefit[], serviceDate: string): string[] {
  const odd: { readonly row: Benefit; readonly told: string; readonly isReferral: boolean }[] = [];
  for (const row of own) {
    // Nearly all rows of a long answer are amounts or agree with the coverage.
    if (row.code !== 'U' && row.code !== 'MC' && row.code !== NON_COVERED) {
      const status = statusOf(row.code);
      if (status === undefined || status === coverage.status) continue;
    }
    const referral = referralOf(row);
    const told = referral ?? toldAgainst(coverage, row, serviceDate);
    if (told !== null) odd.push({ row, told, isReferral: referral !== null });
  }
  if (odd.length === 0) return [];
  const agreed = odd.every(({ isReferral }) => isReferral) ? NO_TYPES : agreedTypes(coverage, own);
  const typesByNote = new Map<string, Set<string>>();
  for (const { row, told, isReferral } of odd) {
    const isOther = row.planName !== null && plainText(row.planName) !== plainText(coverage.planName ?? '');
    const note = isOther ? `${told} for ${row.planName}` : told;
    const types = typesByNote.get(note) ?? new Set();
    typesByNote.set(note, types);
    for (const type of row.serviceTypes) if (isReferral || isOther || !agreed.has(type)) types.add(type);
    if (row.serviceTypes.length === 0) types.add(WHOLE_PLAN);
  }
  return [...typesByNote].flatMap(([note, types]) => {
    if (types.size === 0) return [];
    if (types.has(WHOLE_PLAN)) return [`The payer also says: ${note}.`];
    return [`${types.size === 1 ? 'Service type' : 'Service types'} ${[...types].join(', ')}: ${note}.`];
  });
}

const NO_TYPES: ReadonlySet<string> = new Set();

/** Service types whose rows agree with the coverage. */
function agreedTypes(coverage: Coverage, own: readonly Benefit[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const { code, procedures, serviceTypes } of own)
    if (procedures.length === 0 && statusOf(code) === coverage.status)
      for (const type of serviceTypes) types.add(type);
  return types;
}

/** The payer to whom a row refers. */
function referralOf({ code, entities, procedures }: Benefit): string | null {
  if ((code !== 'U' && code !== 'MC') || procedures.length > 0) return null;
  const name = payerNameAmong(entities);
  if (name === null) return null;
  return code === 'U' ? `ask ${name} (EB U)` : `managed care by ${name} (EB MC)`;
}

/** What a row says about its services beyond its coverage; null for nothing. */
function toldAgainst(coverage: Coverage, row: Benefit, serviceDate: string): string | null {
  const { code, procedures, serviceTypes, planName, inNetwork } = row;
  if (procedures.length > 0 || (serviceTypes.length === 0 && planName === null)) return null;
  if (code === NON_COVERED)
    return coverage.status === 'Active' && inNetwork !== 'N' ? 'not covered (EB I)' : null;
  const status = statusOf(code);
  if (status === undefined || status === coverage.status) return null;
  if (status === null) return `no status (EB ${code})`;
  if (status === 'Active' && excludes(planPeriod(row.dates, serviceDate), serviceDate)) return null;
  return `${status} (EB ${code})`;
}
