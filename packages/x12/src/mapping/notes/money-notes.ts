import type { Benefit } from '../../answer/eligibility-answer.ts';
import type { DatedPeriod } from '../../parts/parts.ts';
import { periodName, REMAINING, SO_FAR } from '../codes.ts';
import { WHOLE_PLAN } from '../coverages/benefit-codes.ts';
import { excludes, rowPeriod } from '../coverages/coverage-period.ts';
import { serviceTypeNames } from '../service-types.ts';

/** EB01 of what the patient pays. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['B', 'Co-payment'],
  ['A', 'Co-insurance'],
  ['C', 'Deductible'],
  ['G', 'Out of pocket'],
]);

/** More than a desk reads in a note. */
const SENTENCE_COUNT_MAX = 10;

/**
 * What the patient pays: individual, in network, for the plan, a service type or a code, where exactly one row says it. What is
 * left (EB06 29) stands beside the whole. Where rows differ, none is noted: which of them counts is not ours to guess.
 */
export function moneyNotes(own: readonly Benefit[], serviceDate: string): string[] {
  const amounts = new Map<string, Amounts>();
  for (const row of own) {
    const { code, timePeriod } = row;
    if (!KINDS.has(code) || timePeriod === SO_FAR || !isPlain(row, serviceDate)) continue;
    const key = keyOf(row);
    const known = amounts.get(key);
    if (known === undefined && amounts.size === SENTENCE_COUNT_MAX) continue;
    const said = known ?? { total: null, left: null };
    if (known === undefined) amounts.set(key, said);
    if (timePeriod === REMAINING) said.left = agreed(said.left, row);
    else said.total = agreed(said.total, row);
  }
  const sentences: string[] = [];
  for (const said of amounts.values()) {
    const sentence = sentenceOf(said);
    if (sentence !== null) sentences.push(sentence);
  }
  return sentences;
}

/** The row that says one kind of amount for a service, and the row that says what is left; false where rows differ. */
interface Amounts {
  total: Benefit | false | null;
  left: Benefit | false | null;
}

function keyOf({ code, serviceTypes, procedures }: Benefit): string {
  if (procedures.length > 0) return [code, ...procedures.map((one) => one.code)].join(' :');
  if (serviceTypes.length > 1) return [code, ...serviceTypes].join(' ');
  return `${code} ${serviceTypes[0] ?? WHOLE_PLAN}`;
}

function agreed(known: Benefit | false | null, row: Benefit): Benefit | false {
  if (known === null) return row;
  const isSame =
    known !== false &&
    known.amount === row.amount &&
    known.percent === row.percent &&
    known.timePeriod === row.timePeriod;
  return isSame && known;
}

function sentenceOf({ total, left }: Amounts): string | null {
  const row = total || left;
  if (!row) return null;
  const [whole, rest] = [total && valueOf(total), left && valueOf(left)];
  const amount = listed(total && whole && `${whole}${periodName(total.timePeriod)}`, rest && `${rest} left`);
  if (!amount) return null;
  const { code, coverageLevel, inNetwork } = row;
  const scope = listed(coverageLevel === 'IND' && 'individual', inNetwork === 'Y' && 'in network');
  return `${KINDS.get(code)}${subjectOf(row)}: ${amount}${scope && ` (${scope})`}.`;
}

/** What there is of both, with a comma between them. */
function listed(one: string | false | null, other: string | false | null): string {
  return one && other ? `${one}, ${other}` : one || other || '';
}

function subjectOf({ serviceTypes, procedures }: Benefit): string {
  if (procedures.length > 0) return `, ${procedures.map(({ code }) => code).join(', ')}`;
  const isOfPlan = serviceTypes.length === 0 || serviceTypes.includes(WHOLE_PLAN);
  return isOfPlan ? '' : `, ${serviceTypeNames(serviceTypes, 'service')}`;
}

function valueOf({ amount, percent }: Benefit): string | null {
  if (amount !== null) return amountText(amount);
  return percent === null ? null : percentText(percent);
}

/** Individual, in network, of the service date, and of nothing narrower than a service type or a code. */
function isPlain(row: Benefit, serviceDate: string): boolean {
  const { coverageLevel, inNetwork, procedures, information, quantity, dates } = row;
  return (
    (coverageLevel === null || coverageLevel === 'IND') &&
    (inNetwork === null || inNetwork === 'Y' || inNetwork === 'W') &&
    information.length === 0 &&
    quantity === null &&
    procedures.length <= PROCEDURE_COUNT_MAX &&
    (dates.length === 0 || isOfDay(dates, serviceDate))
  );
}

function isOfDay(dates: readonly DatedPeriod[], serviceDate: string): boolean {
  const isPast = (date: DatedPeriod) =>
    date.qualifier === BENEFIT_YEAR && date.end !== null && excludes(date, serviceDate);
  return !dates.some(isPast) && !excludes(rowPeriod(dates, serviceDate), serviceDate);
}

/** DTP01 of the year that an amount is for. */
const BENEFIT_YEAR = '292';

/** A row for more codes is noted by its messages. */
const PROCEDURE_COUNT_MAX = 5;

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
