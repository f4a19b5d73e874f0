import type { Outputs } from '../../../api/api.ts';

export type Coverage = Outputs['requests']['benefits']['coverages'][number];
export type Benefit = Coverage['benefits'][number];

/** Names of kinds; what is not here is named by its slug. */
const KINDS: Partial<Record<Benefit['kind'], string>> = {
  coinsurance: 'Co-insurance',
  copayment: 'Co-payment',
  not_medically_necessary: 'Not medically necessary',
  pre_existing_condition: 'Pre-existing condition',
  carve_out: 'Ask somebody else',
  cannot_tell: 'The payer cannot tell',
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

/** A service type of which the service gives no name. */
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

/** `calendar years`; of what is no span of time the word alone. */
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
