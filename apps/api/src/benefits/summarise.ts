import type {
  AmountSummary,
  Benefit,
  BenefitKind,
  BenefitLevel,
  BenefitNetwork,
  BenefitSummary,
  LevelSummary,
  NetworkSummary,
  PlanSummary,
  SummaryGap,
  SummaryValue,
} from '@insurance-verification/schema';
import type { AskedProcedure } from '@insurance-verification/x12';
import { isNarrow, rowsOfPlan, rowsOfProcedure, rowsOfType, WHOLE_PLAN } from './speaking-rows.ts';

type Reading = SummaryValue | SummaryGap;
type Said = Pick<SummaryValue, 'value' | 'unit' | 'period'>;

/** What the payer was asked for. */
export interface Asked {
  readonly procedures: readonly AskedProcedure[];
  /** Service types; the first is the plan. */
  readonly types: readonly string[];
}

/**
 * What a desk asks for first, by the rules of apps/docs/benefits.md: a value where the rows that speak for it leave exactly
 * one reading, else why there is none. Never a guess.
 */
export function summarise(
  benefits: readonly Benefit[],
  { procedures, types }: Asked,
  serviceDate: string,
): BenefitSummary {
  return {
    plan: byNetwork(rowsOfPlan(benefits, serviceDate)),
    service_types: types
      .filter((type) => type !== WHOLE_PLAN)
      .map((type) => ({ service_type: type, ...byNetwork(rowsOfType(benefits, type, serviceDate)) })),
    procedures: procedures.map((procedure) => ({
      procedure: procedure.texts[0] ?? procedure.code,
      ...byNetwork(rowsOfProcedure(benefits, procedure, serviceDate)),
    })),
  };
}

function byNetwork(rows: readonly Benefit[]): PlanSummary {
  const of = (...networks: (BenefitNetwork | null)[]) =>
    rows.filter(({ network }) => networks.includes(network));
  const unsaid = of(null);
  return {
    in_network: summaryOf(of('in', 'either')),
    out_of_network: summaryOf(of('out', 'either')),
    network_not_said: unsaid.length === 0 ? null : summaryOf(unsaid),
  };
}

function summaryOf(rows: readonly Benefit[]): NetworkSummary {
  const of = (...kinds: BenefitKind[]) => rows.filter(({ kind }) => kinds.includes(kind));
  return {
    cover: readingOf(of(...COVERED, ...NOT_COVERED), ({ kind }) =>
      word(COVERED.includes(kind) ? 'covered' : 'not_covered'),
    ),
    copayment: readingOf(of('copayment').filter(isWhole), moneyOf),
    coinsurance: readingOf(of('coinsurance').filter(isWhole), moneyOf),
    deductible: byLevel(of('deductible')),
    out_of_pocket: byLevel(of('out_of_pocket')),
    maximum: byLevel(of('maximum', 'limitation').filter(({ amount }) => amount !== null)),
    authorization: readingOf(
      rows.filter(({ authorization }) => authorization !== null),
      ({ authorization }) => authorization && word(authorization),
    ),
  };
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

function byLevel(rows: readonly Benefit[]): LevelSummary {
  const of = (wanted: BenefitLevel | null) => rows.filter(({ level }) => level === wanted);
  const unsaid = of(null);
  return {
    individual: amountsOf(of('individual')),
    family: amountsOf(of('family')),
    level_not_said: unsaid.length === 0 ? null : amountsOf(unsaid),
  };
}

/** Neither what is left nor what is used of it. */
function isWhole({ remaining, period }: Benefit): boolean {
  return !remaining && period !== 'year_to_date';
}

function amountsOf(rows: readonly Benefit[]): AmountSummary {
  const total = readingOf(rows.filter(isWhole), moneyOf);
  // EB06 29 does not say of what it is left, so it has no period of its own.
  const remaining = readingOf(
    rows.filter((row) => row.remaining),
    (row) => {
      const money = moneyOf(row);
      return money && { ...money, period: row.period === 'remaining' ? null : row.period };
    },
  );
  const said = rows.filter(({ period }) => period === 'year_to_date');
  return {
    total,
    remaining,
    met: said.length > 0 ? readingOf(said, moneyOf) : differenceOf(total, remaining),
  };
}

/** The whole less what is left, where both are said of the same time. */
function differenceOf(total: Reading, remaining: Reading): Reading {
  const ids = [...total.benefit_ids, ...remaining.benefit_ids];
  if (!('value' in total) || !('value' in remaining)) return { why: 'not_said', benefit_ids: ids };
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

/** Null for a row that says it in words alone. */
function moneyOf({ amount, percent, period }: Benefit): Said | null {
  if (amount !== null) return { value: amount, unit: 'usd', period };
  return percent === null ? null : { value: percent, unit: 'percent', period };
}

function word(value: string): Said {
  return { value, unit: null, period: null };
}

/**
 * The one reading of some rows. Rows that say the same are one; a period that is left out differs from none. Where rows
 * differ, or all hold for some places or ages alone, which one counts is for a person to read.
 */
function readingOf(rows: readonly Benefit[], saidBy: (row: Benefit) => Said | null): Reading {
  const said = rows.flatMap((row) => {
    const one = saidBy(row);
    return one ? [{ ...one, row }] : [];
  });
  const [first] = said;
  if (!first) return { why: 'not_said', benefit_ids: idsOf(rows) };
  const periods = new Set(said.flatMap(({ period }) => period ?? []));
  const isOne =
    said.every(({ value, unit }) => value === first.value && unit === first.unit) &&
    periods.size <= 1 &&
    said.some(({ row }) => !isNarrow(row));
  const ids = idsOf(said.map(({ row }) => row));
  if (!isOne) return { why: 'several', benefit_ids: ids };
  const [period = null] = periods;
  return { value: first.value, unit: first.unit, period, benefit_ids: ids };
}

function idsOf(rows: readonly Benefit[]): string[] {
  return rows.map(({ benefit_id: id }) => id);
}
