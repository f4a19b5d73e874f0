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

/** More than a desk reads in a note. */
const SENTENCE_COUNT_MAX = 10;

/**
 * What the patient pays: individual, in network, for a service type or the plan, where exactly one row says it. What is
 * left (EB06 29) stands beside the whole. Where rows differ, none is told: which of them counts is not ours to guess.
 */
export function moneyNotes(own: readonly Benefit[]): string[] {
  const amounts = new Map<string, Amounts>();
  for (const row of own) {
    const { code, serviceTypes, timePeriod } = row;
    if (KINDS[code] === undefined || !isPlain(row)) continue;
    const types = serviceTypes.length === 0 ? PLAN : serviceTypes;
    const key = types.length === 1 ? `${code} ${types[0]}` : [code, ...types].join(' ');
    let said = amounts.get(key);
    if (said === undefined) {
      if (amounts.size === SENTENCE_COUNT_MAX) continue;
      amounts.set(key, (said = { total: null, left: null }));
    }
    if (timePeriod === REMAINING) said.left = agreed(said.left, row);
    else said.total = agreed(said.total, row);
  }
  return [...amounts.values()].flatMap(sentenceOf);
}

/** The row that says one kind of amount for a service, and the row that says what is left; false where rows differ. */
interface Amounts {
  total: Benefit | false | null;
  left: Benefit | false | null;
}

const PLAN = [WHOLE_PLAN];

function agreed(known: Benefit | false | null, row: Benefit): Benefit | false {
  if (known === null) return row;
  const isSame =
    known !== false &&
    known.amount === row.amount &&
    known.percent === row.percent &&
    known.timePeriod === row.timePeriod;
  return isSame && known;
}

function sentenceOf({ total, left }: Amounts): string[] {
  const row = total || left;
  if (!row) return [];
  const [whole, rest] = [total && valueOf(total), left && valueOf(left)];
  const parts = [
    ...(total && whole ? [`${whole}${periodName(total.timePeriod)}`] : []),
    ...(rest ? [`${rest} left`] : []),
  ];
  if (parts.length === 0) return [];
  const { code, serviceTypes } = row;
  const isOfPlan = serviceTypes.length === 0 || serviceTypes.includes(WHOLE_PLAN);
  const of = isOfPlan ? '' : `, ${lowerFirst(serviceTypeNames(serviceTypes))}`;
  return [`${KINDS[code]}${of}: ${parts.join(', ')} (individual, in network).`];
}

function valueOf({ amount, percent }: Benefit): string | null {
  if (amount !== null) return amountText(amount);
  return percent === null ? null : percentText(percent);
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
