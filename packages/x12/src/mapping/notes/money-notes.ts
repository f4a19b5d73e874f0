import type { Benefit } from '../../answer/eligibility-answer.ts';
import { periodName, REMAINING } from '../codes.ts';
import { WHOLE_PLAN } from '../coverages/benefit-codes.ts';
import { serviceTypeNames } from '../service-types.ts';

/** EB01 of what the patient pays. */
const KINDS: Readonly<Record<string, string>> = {
  B: 'Co-payment',
  A: 'Co-insurance',
  C: 'Deductible',
  G: 'Out of pocket',
};

/** More sentences than a desk reads. */
const SENTENCE_COUNT_MAX = 40;

/**
 * What the patient pays: individual, in network, for a service type or the plan, where exactly one row says it. What is
 * left (EB06 29) stands beside the whole. Where rows differ, none is told: which of them counts is not ours to guess.
 */
export function moneyNotes(own: readonly Benefit[]): string[] {
  const groups = new Map<
    string,
    { kind: string; types: readonly string[]; totals: Set<string>; left: Set<string> }
  >();
  for (const row of own) {
    const kind = KINDS[row.code];
    if (kind === undefined || !isPlain(row)) continue;
    const value =
      row.amount === null ? (row.percent === null ? null : percentText(row.percent)) : amountText(row.amount);
    if (value === null) continue;
    const types = row.serviceTypes.length === 0 ? [WHOLE_PLAN] : row.serviceTypes;
    const key = [row.code, ...types].join(' ');
    const group = groups.get(key) ?? { kind, types, totals: new Set(), left: new Set() };
    groups.set(key, group);
    if (row.timePeriod === REMAINING) group.left.add(value);
    else group.totals.add(`${value}${periodName(row.timePeriod)}`);
  }
  return [...groups.values()]
    .flatMap(({ kind, types, totals, left }) => {
      const parts = [
        ...(totals.size === 1 ? [...totals] : []),
        ...(left.size === 1 ? [`${[...left][0]} left`] : []),
      ];
      if (parts.length === 0) return [];
      const of = types.includes(WHOLE_PLAN) ? kind : `${kind}, ${lowerFirst(serviceTypeNames(types))}`;
      return [`${of}: ${parts.join(', ')} (individual, in network).`];
    })
    .slice(0, SENTENCE_COUNT_MAX);
}

/** Individual, in network, and of nothing narrower than a service type. */
function isPlain({ coverageLevel, inNetwork, procedures, information, quantity }: Benefit): boolean {
  return (
    (coverageLevel === null || coverageLevel === 'IND') &&
    (inNetwork === null || inNetwork === 'Y' || inNetwork === 'W') &&
    procedures.length + information.length === 0 &&
    quantity === null
  );
}

const NUMBER = /^\d{1,9}(\.\d{0,4})?$|^\.\d{1,4}$/;

/** `$25`, as it was sent; null for what is no amount. */
function amountText(amount: string): string | null {
  return NUMBER.test(amount) ? `$${amount.startsWith('.') ? `0${amount}` : amount}` : null;
}

/** `20 %` of a decimal fraction, or of a number above 1, which some senders mean as percent; null for what is neither. */
export function percentText(percent: string): string | null {
  if (!NUMBER.test(percent)) return null;
  const value = Number(percent);
  return `${value > 1 ? value : Math.round(value * 10_000) / 100} %`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
