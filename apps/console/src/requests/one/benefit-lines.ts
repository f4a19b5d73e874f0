import type { Outputs } from '../../api/api.ts';

/** What a desk reads: one line for what a total and its rest say together. */
export interface BenefitLine {
  readonly id: string;
  /** The ids of its rows. */
  readonly ids: readonly string[];
  /** With an asterisk where the payer did not say in which network. */
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
  if (!row) throw new Error('Each line has a row.');
  const { kind, level, network, benefit_id: id } = row;
  const whose = level === null || level === 'individual' ? [] : [level.replaceAll('_', ' ')];
  const where = network === 'either' ? ['any network'] : [];
  const details = [...whose, ...where];
  const subject = serviceText(row);
  const texts = [...new Set(rows.flatMap((one) => one.texts))];
  const name = nameOf(row);
  return {
    id,
    ids: rows.map((one) => one.benefit_id),
    label: `${labelOf(kind, name, subject)}${network === null ? '*' : ''}${details.length === 0 ? '' : ` (${details.join(', ')})`}`,
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

/** The word that replaces a figure. */
function withoutValue(kind: Benefit['kind'], texts: readonly string[]): string {
  if (REFUSED.includes(kind)) return kindText({ kind }).toLowerCase();
  return texts.length > 0 ? 'in words' : 'no figure given';
}

export type Coverage = Outputs['requests']['benefits']['coverages'][number];
export type Benefit = Coverage['benefits'][number];

/** Names of kinds; what is not here is named by its slug. */
const KINDS: Partial<Record<Benefit['kind'], string>> = {
  coinsurance: 'Co-insurance',
  copayment: 'Co-payment',
  not_medically_necessary: 'Not medically necessary',
  pre_existing_condition: 'Pre-existing condition',
  carve_out: 'Ask somebody else',
  cannot_tell: 'The payer does not know',
  unknown: 'A code new to us',
};

export function kindText({ kind }: Pick<Benefit, 'kind'>): string {
  return KINDS[kind] ?? inWords(kind);
}

/** `calendar_year` as `calendar year`, with a capital first. */
function inWords(slug: string): string {
  const text = slug.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const lower = (slug: string) => slug.replaceAll('_', ' ');

/** The service types that a 270 asks for. */
const ASKED_TYPES = new Map([
  ['30', 'The plan'],
  ['35', 'Dental care'],
]);

/** A service type without a name in the list. */
export const typeText = (code: string): string => ASKED_TYPES.get(code) ?? `service type ${code}`;

/** What it is for: `Office visit, at the office`; `The plan` for none. */
export function serviceText({ service }: Benefit): string {
  const procedures = [service.procedure, ...service.more_procedures].flatMap((one) =>
    one ? [one.last_code === null ? one.code : `${one.code} to ${one.last_code}`] : [],
  );
  const types = service.types.map(({ code, name }) => name ?? typeText(code));
  const places = service.places.map(({ code, name }) => name ?? `place ${code}`);
  const about = [...types, ...procedures];
  const subject = about.length === 0 ? 'The plan' : about.join(', ');
  return places.length === 0 ? subject : `${subject} (${places.join(', ')})`;
}

const PERIODS: Partial<Record<NonNullable<Benefit['period']>, string>> = {
  hour: 'an hour',
  hours_24: 'in 24 hours',
  years: 'for years',
  year_to_date: 'used this year',
  episode: 'an episode',
  admission: 'an admission',
  lifetime: 'in a lifetime',
  exceeded: 'above the limit',
  not_exceeded: 'up to the limit',
  outlier: 'as an outlier',
  other: '',
  remaining: '',
};

const periodText = (period: Benefit['period']) =>
  period === null ? '' : (PERIODS[period] ?? `a ${lower(period)}`);

/** Dollars with commas between the thousands. */
function dollars(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  return `$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

/** `$50.00 a visit`, `20 %`, `14 visits left`, `2 a calendar year, last 2026-03-04`; empty where only words say it. */
export function valueText(benefit: Benefit): string {
  return [countText(benefit), ...lastText(benefit)].filter((part) => part !== '').join(', ');
}

/** When the service was last given. */
function lastText({ dates }: Benefit): string[] {
  return dates.flatMap(({ kind, start }) =>
    kind === 'latest_visit' && start !== null ? [`last ${start}`] : [],
  );
}

function countText({ amount, percent, quantity, period, remaining, frequency }: Benefit): string {
  const counted = quantity && quantityText(quantity);
  const value = [
    amount === null ? '' : dollars(amount),
    percent === null ? '' : `${percent} %`,
    frequency.length > 0 ? frequency.map(frequencyText).join(', ') : (counted ?? ''),
  ].filter((part) => part !== '');
  if (value.length === 0) return '';
  return [value.join(', '), remaining ? 'left' : periodText(period)].filter((part) => part !== '').join(' ');
}

function quantityText({ value, unit }: NonNullable<Benefit['quantity']>): string {
  if (unit === 'age_at_most') return `up to age ${value}`;
  if (unit === 'age_at_least') return `from age ${value}`;
  return unit === null ? value : `${value} ${unitText(unit, value)}`;
}

/** `2 visits in 6 months`, `12 visits, 3 a week, in 4 weeks`, `2 a calendar year`. */
function frequencyText(frequency: Benefit['frequency'][number]): string {
  const { count, unit, rate, every, every_unit: everyUnit, period, period_count: periodCount } = frequency;
  const isCountOnly = unit === null || (unit === 'services' && period !== null);
  const many = [count, isCountOnly ? null : unitText(unit, count)].filter(Boolean).join(' ');
  const often =
    every === null && everyUnit === null
      ? ''
      : ['every', every, everyUnit && unitText(everyUnit, every)].filter(Boolean).join(' ');
  const isOne = periodCount === null || periodCount === '1';
  const span = period === null ? '' : isOne ? periodText(period) : `in ${periodCount} ${plural(period)}`;
  if (rate !== null) {
    const pace = `${rate.count} a ${unitText(rate.per, '1')}`;
    return [many, pace, span].filter((part) => part !== '').join(', ');
  }
  return [many, often, span].filter((part) => part !== '').join(' ');
}

/** `visits`, of one `visit`. */
function unitText(unit: NonNullable<Benefit['quantity']>['unit'] & string, count: string | null): string {
  const isOne = count !== null && Number(count) === 1;
  return isOne ? lower(unit).replace(/s$/, '') : lower(unit);
}

/** `calendar years`; only the word for a unit that is not a span of time. */
function plural(period: NonNullable<Benefit['period']>): string {
  return SPANS.has(period) ? `${lower(period)}s` : lower(period);
}

const SPANS: ReadonlySet<string> = new Set([
  'hour',
  'day',
  'week',
  'month',
  'service_year',
  'calendar_year',
  'contract',
  'episode',
  'visit',
  'admission',
]);

const NETWORKS = { in: 'in network', out: 'out of network', either: 'in any network' } as const;

/** Whose it is, in which network, its days, its numbers, and what is needed first. */
export function detailText(benefit: Benefit): string {
  const { network, level, authorization, insurance_type: type, plan, dates } = benefit;
  return [
    network && NETWORKS[network],
    level && lower(level),
    authorization && (authorization === 'required' ? 'needs an authorization' : 'needs no authorization'),
    type && (type.slug === 'other' ? `insurance type ${type.code}` : lower(type.slug)),
    plan,
    ...dates.map(({ kind, start, end }) => `${lower(kind)} ${[start, end].filter(Boolean).join(' to ')}`),
  ]
    .filter(Boolean)
    .join(' · ');
}
