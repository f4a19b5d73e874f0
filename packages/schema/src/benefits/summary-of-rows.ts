import type { BenefitLevel, BenefitNetwork } from './benefit-terms.ts';
import type { Benefit, BenefitKind } from './benefit.ts';
import { isWhole, type ReadRow } from './read-rows.ts';
import type {
  AmountSummary,
  LevelSummary,
  NetworkSummary,
  PlanSummary,
  SummaryGap,
  SummaryValue,
} from './request-benefits.ts';

type Reading = SummaryValue | SummaryGap;
type Said = Pick<SummaryValue, 'value' | 'unit' | 'period'>;

/** Whether a row speaks of the service date. */
export function isOfDay({ days }: ReadRow): boolean {
  return days.time === 'now';
}

/** Whether a row says that something is covered. */
export function isCovering({ kind }: Pick<Benefit, 'kind'>): boolean {
  return COVERED.includes(kind);
}

/** Whether a row says that something is not covered. */
export function isDenying({ kind }: Pick<Benefit, 'kind'>): boolean {
  return NOT_COVERED.includes(kind);
}

/** Of a row of another day: cover that ended or has not begun, or an end that was stated. */
export function isOver({ benefit, days }: ReadRow): boolean {
  return isCovering(benefit) || (benefit.kind.startsWith('inactive') && days.time === 'past');
}

/** How the cover of rows is read. */
interface CoverRule {
  /** The coverage is Inactive on the day: nothing is covered. */
  readonly isInactive: boolean;
  /** Whether a row that ended or has not begun denies what no row of the day speaks of. */
  readonly mayEnd: boolean;
}

export function byNetwork(all: readonly ReadRow[], rule: CoverRule): PlanSummary {
  const rows = all.filter((row) => isOfDay(row) || isOver(row));
  const of = (...networks: (BenefitNetwork | null)[]) =>
    rows.filter(({ benefit }) => networks.includes(benefit.network));
  const unsaid = of(null);
  return {
    in_network: summaryOf(of('in', 'either'), rule),
    out_of_network: summaryOf(of('out', 'either'), rule),
    network_not_said: unsaid.length === 0 ? null : summaryOf(unsaid, rule),
  };
}

function summaryOf(all: readonly ReadRow[], rule: CoverRule): NetworkSummary {
  const rows = all.filter(isOfDay);
  const of = (...kinds: BenefitKind[]) => rows.filter(({ benefit }) => kinds.includes(benefit.kind));
  return {
    cover: coverOf(all, rule),
    copayment: readingOf(
      of('copayment').filter(({ benefit }) => isWhole(benefit)),
      moneyOf,
    ),
    coinsurance: readingOf(
      of('coinsurance').filter(({ benefit }) => isWhole(benefit)),
      moneyOf,
    ),
    deductible: byLevel(of('deductible')),
    out_of_pocket: byLevel(of('out_of_pocket')),
    maximum: byLevel(of('maximum', 'limitation').filter(({ benefit }) => benefit.amount !== null)),
    authorization: readingOf(
      rows.filter(({ benefit }) => benefit.authorization !== null),
      ({ authorization }) => authorization && word(authorization),
    ),
  };
}

/** Whether an authorization is needed in a network, by rows of one service. */
export function authorizationOf(rows: readonly ReadRow[], network: BenefitNetwork | null): Reading {
  const isIn = ({ benefit }: ReadRow) =>
    network === 'either' || network === 'in'
      ? benefit.network === 'in' || benefit.network === 'either'
      : benefit.network === network || (network === 'out' && benefit.network === 'either');
  return readingOf(
    rows.filter((row) => row.benefit.authorization !== null && isIn(row)),
    ({ authorization }) => authorization && word(authorization),
  );
}

/** A row covers on its days, and under an active coverage. */
function coverOf(rows: readonly ReadRow[], { isInactive, mayEnd }: CoverRule): Reading {
  const stated = rows.filter(({ benefit }) => isCovering(benefit) || isDenying(benefit));
  const ofDay = stated.filter(isOfDay);
  const counting = ofDay.length > 0 || !mayEnd ? ofDay : stated;
  const isCovered = (row: ReadRow) => isCovering(row.benefit) && isOfDay(row) && !isInactive;
  const covered = new Set(counting.filter(isCovered).map(({ benefit }) => benefit));
  return readingOf(counting, (benefit) => word(covered.has(benefit) ? 'covered' : 'not_covered'));
}

const COVERED: readonly BenefitKind[] = [
  'active',
  'active_full_risk',
  'active_capitated',
  'active_capitated_to_primary_care',
  'active_pending',
];

const NOT_COVERED: readonly BenefitKind[] = [
  'not_covered',
  'excluded',
  'inactive',
  'inactive_pending_update',
  'inactive_pending',
];

/**
 * Amounts of the individual and of the family. Rows for other levels (EB02 CHD, ESP …) may count for either, so a person
 * has to read them. An employee's amounts are the subscriber's own.
 */
export function byLevel(rows: readonly ReadRow[]): LevelSummary {
  const of = (wanted: BenefitLevel | null) => rows.filter(({ benefit }) => benefit.level === wanted);
  const unsaid = of(null);
  const others: ReadRow[] = [];
  const individual: ReadRow[] = [];
  for (const row of rows) {
    const { level } = row.benefit;
    if (level === 'individual' || (level === 'employee' && row.standing === 'speaks')) individual.push(row);
    else if (level !== null && level !== 'family')
      others.push(row.standing === 'speaks' ? { ...row, standing: 'narrow' } : row);
  }
  return {
    individual: amountsOf([...individual, ...others]),
    family: amountsOf([...of('family'), ...others]),
    level_not_said: unsaid.length === 0 ? null : amountsOf(unsaid),
  };
}

function amountsOf(rows: readonly ReadRow[]): AmountSummary {
  const total = readingOf(
    rows.filter(({ benefit }) => isWhole(benefit)),
    moneyOf,
  );
  // EB06 29 (remaining) gives no period of the amount.
  const remaining = readingOf(
    rows.filter(({ benefit }) => benefit.remaining),
    (row) => {
      const money = moneyOf(row);
      if (money === null || money === BOTH) return money;
      return { ...money, period: row.period === 'remaining' ? null : row.period };
    },
  );
  const said = rows.filter(({ benefit }) => benefit.period === 'year_to_date');
  return {
    total,
    remaining,
    met: said.length > 0 ? readingOf(said, moneyOf) : differenceOf(total, remaining),
  };
}

/** The total less the remaining amount, if both are for the same period. */
function differenceOf(total: Reading, remaining: Reading): Reading {
  const ids = [...total.benefit_ids, ...remaining.benefit_ids];
  if (!('value' in total) || !('value' in remaining)) {
    const isUnclear = [total, remaining].some((one) => 'why' in one && one.why === 'several');
    return { why: isUnclear ? 'several' : 'not_said', benefit_ids: ids };
  }
  const isSameTime = remaining.period === null || total.period === null || remaining.period === total.period;
  const cents = centsOf(total.value) - centsOf(remaining.value);
  if (total.unit !== 'usd' || remaining.unit !== 'usd' || !isSameTime || cents < 0n)
    return { why: 'several', benefit_ids: ids };
  return { value: dollarsOf(cents), unit: 'usd', period: total.period, benefit_ids: ids };
}

/** Millionths, the finest that an amount is given in. */
const SCALE = 6;

function centsOf(value: string): bigint {
  const [whole = '', fraction = ''] = value.split('.');
  return BigInt(whole + fraction.padEnd(SCALE, '0'));
}

function dollarsOf(millionths: bigint): string {
  const digits = millionths.toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0{1,4}$/, '');
  return `${digits.slice(0, -SCALE)}.${fraction}`;
}

/** A row with an amount and a percent: neither of them is its value. */
const BOTH = 'both';

/** Null for a row that says it in words only. */
function moneyOf({ amount, percent, period }: Benefit): Said | typeof BOTH | null {
  if (amount !== null && percent !== null) return BOTH;
  if (amount !== null) return { value: amount, unit: 'usd', period };
  return percent === null ? null : { value: percent, unit: 'percent', period };
}

const NEITHER: Said = { value: '', unit: null, period: null };

function word(value: string): Said {
  return { value, unit: null, period: null };
}

/**
 * The one reading of some rows. Rows that say the same are one; a period that is left out differs from none. Where rows
 * differ, or none of them speaks for itself ({@link readRows}), which one counts is for a person to read.
 */
function readingOf(rows: readonly ReadRow[], saidBy: (row: Benefit) => Said | typeof BOTH | null): Reading {
  const said: (Said & Pick<ReadRow, 'standing'> & { readonly id: string })[] = [];
  let isBoth = false;
  for (const { benefit, standing } of rows) {
    const one = saidBy(benefit);
    if (one === BOTH) isBoth ||= standing !== 'elsewhere';
    if (one !== null) said.push({ ...(one === BOTH ? NEITHER : one), standing, id: benefit.benefit_id });
  }
  if (said.length === 0)
    return { why: 'not_said', benefit_ids: rows.map(({ benefit }) => benefit.benefit_id) };
  const counting = said.filter(({ standing }) => standing !== 'elsewhere');
  const [first] = counting;
  const periods = new Set(counting.flatMap(({ period }) => period ?? []));
  const isOne =
    first !== undefined &&
    !isBoth &&
    counting.every(({ value, unit }) => value === first.value && unit === first.unit) &&
    periods.size <= 1 &&
    counting.some(({ standing }) => standing === 'speaks');
  if (!isOne) return { why: 'several', benefit_ids: said.map(({ id }) => id) };
  const [period = null] = periods;
  return {
    value: first.value,
    unit: first.unit,
    period,
    benefit_ids: counting.map(({ id }) => id),
  };
}
