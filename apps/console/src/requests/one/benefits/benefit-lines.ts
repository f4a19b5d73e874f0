import { type Benefit, kindText, serviceText, valueText } from './benefit-words.ts';

/** What a desk reads: one line for what a total and its rest say together. */
export interface BenefitLine {
  readonly id: string;
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

/** Whether it says what is left or used of another. */
function isPart({ remaining, period }: Benefit): boolean {
  return remaining || period === 'year_to_date';
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
  return {
    id,
    label: `${kindText({ kind })}${subject === 'The plan' ? '' : `, ${subject}`}${besides.length === 0 ? '' : ` (${besides.join(', ')})`}`,
    value: rows.map(valueText).filter(Boolean).join(', '),
    texts: rows.flatMap(({ texts }) => texts),
  };
}
