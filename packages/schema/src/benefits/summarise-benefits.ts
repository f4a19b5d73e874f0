import type { BenefitLevel, BenefitNetwork } from './benefit-terms.ts';
import type { Benefit, BenefitKind, BenefitProcedure } from './benefit.ts';
import { type CoverageOfRows, isWhole, type SpeakingRow, speakingRows } from './read-rows.ts';
import type {
  AmountSummary,
  BenefitSummary,
  LevelSummary,
  NetworkSummary,
  PlanSummary,
  SummaryGap,
  SummaryValue,
} from './request-benefits.ts';

type Reading = SummaryValue | SummaryGap;
type Said = Pick<SummaryValue, 'value' | 'unit' | 'period'>;

/** A procedure that a request asks about, or a range of them. */
export interface AskedCode {
  /** The code in capitals; the first one of a range. */
  readonly code: string;
  /** The last code of a range; null or absent for a single code. */
  readonly lastCode?: string | null;
  readonly modifiers: readonly string[];
}

/** The service type of the whole plan (EB03). */
const WHOLE_PLAN = '30';

/**
 * The one reading of a coverage's rows: the summary of `requests.benefits` and the sentences of `notes` both come from it,
 * so they cannot contradict each other. A value where the rows that speak leave exactly one reading, else why there is
 * none. Never a guess.
 */
export class BenefitReading {
  readonly #rows: readonly SpeakingRow[];
  /** The rows that name procedures. A request asks about up to 97, and a payer sends up to 2,000 rows. */
  readonly #naming: readonly NamingRow[];

  constructor(benefits: readonly Benefit[], coverage: CoverageOfRows) {
    this.#rows = speakingRows(benefits, coverage);
    this.#naming = this.#rows.flatMap((row) => {
      const named = rangesOf(row.benefit);
      return named.length === 0 ? [] : [{ row, named }];
    });
  }

  /** The plan as a whole: rows of service type 30, or of no service type and no procedure. */
  ofPlan(): PlanSummary {
    return byNetwork(this.#ofPlan());
  }

  /** A service type: rows that name it, and no procedure. */
  ofType(type: string): PlanSummary {
    return byNetwork(
      this.#rows.filter(
        ({ benefit: { service } }) =>
          service.procedure === null && service.types.some(({ code }) => code === type),
      ),
    );
  }

  /** A procedure: rows that name it; never the plan's or a service type's. */
  ofProcedure(asked: AskedCode): PlanSummary {
    return byNetwork(this.#ofProcedure(asked));
  }

  /** Whether a row of the day speaks of the plan as a whole. */
  isPlanAnswered(): boolean {
    return this.#ofPlan().length > 0;
  }

  /** Whether a row of the day names the procedure, or a range it is in. */
  isProcedureAnswered(asked: AskedCode): boolean {
    return this.#ofProcedure(asked).length > 0;
  }

  #ofPlan(): SpeakingRow[] {
    return this.#rows.filter(
      ({ benefit: { service } }) =>
        service.procedure === null &&
        (service.types.length === 0 || service.types.some(({ code }) => code === WHOLE_PLAN)),
    );
  }

  /**
   * The rows that name a code, or a range it is in. For a code with modifiers the rows with the same ones speak, else those
   * with none; for a code without, those with none, else all.
   */
  #ofProcedure(asked: AskedCode): SpeakingRow[] {
    const wanted = keyOf(asked.modifiers);
    const naming = this.#naming.filter(({ named }) => named.some((one) => isAmong(one, asked)));
    const withKey = (key: string) =>
      naming.filter(({ named }) => named.some((one) => one.key === key && isAmong(one, asked)));
    const same = withKey(wanted);
    const speaking = same.length > 0 ? same : wanted === '' ? naming : withKey('');
    return speaking.map(({ row }) => row);
  }
}

/** The values that a front desk needs first. `types` are service types, without the plan's. */
export function summariseBenefits(
  reading: BenefitReading,
  types: readonly string[],
  procedures: readonly (AskedCode & { readonly texts: readonly string[] })[],
): BenefitSummary {
  return {
    plan: reading.ofPlan(),
    service_types: types
      .filter((type) => type !== WHOLE_PLAN)
      .map((type) => ({ service_type: type, ...reading.ofType(type) })),
    procedures: procedures.map((procedure) => ({
      procedure: procedure.texts[0] ?? procedure.code,
      ...reading.ofProcedure(procedure),
    })),
  };
}

interface NamingRow {
  readonly row: SpeakingRow;
  readonly named: readonly CodeRange[];
}

/** A code or range of a row, in capitals; a single code is a range of one. */
interface CodeRange {
  readonly first: string;
  readonly last: string;
  /** {@link keyOf} of its modifiers. */
  readonly key: string;
}

/** The lists that a request's codes are of. */
const SYSTEMS: ReadonlySet<string> = new Set(['cpt_hcpcs', 'cpt', 'cdt']);

function rangesOf({ service }: Benefit): CodeRange[] {
  const procedures: readonly (BenefitProcedure | null)[] = [service.procedure, ...service.more_procedures];
  return procedures.flatMap((one) => {
    if (one === null || !SYSTEMS.has(one.system)) return [];
    const first = one.code.toUpperCase();
    return [{ first, last: one.last_code?.toUpperCase() ?? first, key: keyOf(one.modifiers) }];
  });
}

/** Whether a code or range of a row has a code in common with what is asked for. */
function isAmong({ first, last }: CodeRange, asked: AskedCode): boolean {
  return first.length === asked.code.length && first <= (asked.lastCode ?? asked.code) && last >= asked.code;
}

function keyOf(modifiers: readonly string[]): string {
  return modifiers
    .map((modifier) => modifier.toUpperCase())
    .toSorted()
    .join('-');
}

function byNetwork(rows: readonly SpeakingRow[]): PlanSummary {
  const of = (...networks: (BenefitNetwork | null)[]) =>
    rows.filter(({ benefit }) => networks.includes(benefit.network));
  const unsaid = of(null);
  return {
    in_network: summaryOf(of('in', 'either')),
    out_of_network: summaryOf(of('out', 'either')),
    network_not_said: unsaid.length === 0 ? null : summaryOf(unsaid),
  };
}

function summaryOf(rows: readonly SpeakingRow[]): NetworkSummary {
  const of = (...kinds: BenefitKind[]) => rows.filter(({ benefit }) => kinds.includes(benefit.kind));
  return {
    cover: readingOf(of(...COVERED, ...NOT_COVERED), ({ kind }) =>
      word(COVERED.includes(kind) ? 'covered' : 'not_covered'),
    ),
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
function byLevel(rows: readonly SpeakingRow[]): LevelSummary {
  const of = (wanted: BenefitLevel | null) => rows.filter(({ benefit }) => benefit.level === wanted);
  const unsaid = of(null);
  const others: SpeakingRow[] = [];
  const individual: SpeakingRow[] = [];
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

function amountsOf(rows: readonly SpeakingRow[]): AmountSummary {
  const total = readingOf(
    rows.filter(({ benefit }) => isWhole(benefit)),
    moneyOf,
  );
  // EB06 29 (remaining) gives no period of the amount.
  const remaining = readingOf(
    rows.filter(({ benefit }) => benefit.remaining),
    (row) => {
      const money = moneyOf(row);
      return money && { ...money, period: row.period === 'remaining' ? null : row.period };
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

/** Null for a row that says it in words only. */
function moneyOf({ amount, percent, period }: Benefit): Said | null {
  if (amount !== null) return { value: amount, unit: 'usd', period };
  return percent === null ? null : { value: percent, unit: 'percent', period };
}

function word(value: string): Said {
  return { value, unit: null, period: null };
}

/**
 * The one reading of some rows. Rows that say the same are one; a period that is left out differs from none. Where rows
 * differ, or none of them speaks for itself ({@link speakingRows}), which one counts is for a person to read.
 */
function readingOf(rows: readonly SpeakingRow[], saidBy: (row: Benefit) => Said | null): Reading {
  const said = rows.flatMap(({ benefit, standing }) => {
    const one = saidBy(benefit);
    return one ? [{ ...one, standing, id: benefit.benefit_id }] : [];
  });
  if (said.length === 0)
    return { why: 'not_said', benefit_ids: rows.map(({ benefit }) => benefit.benefit_id) };
  const counting = said.filter(({ standing }) => standing !== 'elsewhere');
  const [first] = counting;
  const periods = new Set(counting.flatMap(({ period }) => period ?? []));
  const isOne =
    first !== undefined &&
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
