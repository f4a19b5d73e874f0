import { type Benefit, kindText, serviceText, valueText } from './benefit-words.ts';

/** What a desk reads: one line for what a total and its rest say together. */
export interface BenefitLine {
  readonly id: string;
  /** The ids of its rows. */
  readonly ids: readonly string[];
  readonly label: string;
  readonly value: string;
  /** The payer's words. */
  readonly texts: readonly string[];
}

const COLLECT: readonly Benefit['kind'][] = [
  'copayment',
  'deductible',
  'out_of_pocket',
  'coinsurance',
  'spend_down',
];
const LIMITS: readonly Benefit['kind'][] = [
  'limitation',
  'maximum',
  'reserve',
  'waiting_period',
  'unlimited',
];
const REFUSED: readonly Benefit['kind'][] = ['not_covered', 'excluded', 'not_medically_necessary'];
const OTHERS: readonly Benefit['kind'][] = [
  'other_payer',
  'carve_out',
  'other_source',
  'cannot_tell',
  'primary_care_provider',
  'managed_care_coordinator',
  'restricted_to_provider',
  'facility',
];

/** The benefits of a coverage by what a desk does with them. Each list has the kinds in the order above. */
export function groupsOf(benefits: readonly Benefit[]) {
  const near = benefits.filter(({ network }) => network !== 'out');
  const far = benefits.filter(({ network }) => network === 'out');
  return {
    collect: linesOf(near, COLLECT),
    first: near.filter(({ authorization, kind }) => authorization === 'required' || kind === 'referral'),
    limits: linesOf(near, LIMITS),
    refused: linesOf(near, REFUSED),
    others: benefits.filter(({ kind, related }) => OTHERS.includes(kind) || related.length > 0),
    outOfNetwork: linesOf(far, [...COLLECT, ...LIMITS, ...REFUSED]),
  };
}

function linesOf(benefits: readonly Benefit[], kinds: readonly Benefit['kind'][]): BenefitLine[] {
  return kinds.flatMap((kind) => {
    const byKey = Map.groupBy(
      benefits.filter((benefit) => benefit.kind === kind),
      keyOf,
    );
    return [...byKey.values()].flatMap(lineOf);
  });
}

/** What two rows have in common that give a total and what is left of it. */
function keyOf(benefit: Benefit): string {
  const { network, level } = benefit;
  return JSON.stringify([serviceText(benefit), network, level]);
}

/** Whether it says what is left or used of another, or only when the service was last given. */
function isPart({ remaining, period, amount, percent, quantity, frequency, dates }: Benefit): boolean {
  if (remaining || period === 'year_to_date') return true;
  const hasFigure = amount !== null || percent !== null || quantity !== null || frequency.length > 0;
  return !hasFigure && dates.some(({ kind }) => kind === 'latest_visit');
}

/** Rows that belong together have one whole at most; of several wholes each is a line. */
function lineOf(rows: readonly Benefit[]): BenefitLine[] {
  const wholes = rows.filter((row) => !isPart(row));
  const parts = rows.filter(isPart);
  if (wholes.length > 1) return [...wholes, ...parts].map((row) => toLine([row]));
  return [toLine([...wholes, ...parts])];
}

function toLine(rows: readonly Benefit[]): BenefitLine {
  const [row] = rows;
  if (!row) throw new Error('A line stands for a row');
  const { kind, level, network, benefit_id: id } = row;
  const whose = level === null || level === 'individual' ? [] : [level.replaceAll('_', ' ')];
  const where = network === 'either' ? ['any network'] : network === null ? ['network not said'] : [];
  const besides = [...whose, ...where];
  const subject = serviceText(row);
  const texts = [...new Set(rows.flatMap((one) => one.texts))];
  const name = nameOf(row);
  return {
    id,
    ids: rows.map((one) => one.benefit_id),
    label: [labelOf(kind, name, subject), ...(besides.length === 0 ? [] : [`(${besides.join(', ')})`])].join(
      ' ',
    ),
    value: rows.map(valueText).filter(Boolean).join(', ') || withoutValue(kind, texts),
    texts: texts.filter((text) => text !== name),
  };
}

/** The sheet's word for a code, `Cleaning`: a limit of a verifier with one text of some words. */
function nameOf({ kind, service, source, texts }: Benefit): string | null {
  const [name, ...more] = texts;
  const isNamed = kind === 'limitation' && service.procedure !== null && source.kind === 'verifier';
  return isNamed && name !== undefined && more.length === 0 && /^[^.!?]{1,30}$/.test(name) ? name : null;
}

function labelOf(kind: Benefit['kind'], name: string | null, subject: string): string {
  if (name !== null) return `${name} ${subject}`;
  if (REFUSED.includes(kind)) return subject;
  return subject === 'The plan' ? kindText({ kind }) : `${kindText({ kind })}, ${subject}`;
}

/** What stands in place of a figure. */
function withoutValue(kind: Benefit['kind'], texts: readonly string[]): string {
  if (REFUSED.includes(kind)) return kindText({ kind }).toLowerCase();
  return texts.length > 0 ? 'in words' : 'no figure given';
}
