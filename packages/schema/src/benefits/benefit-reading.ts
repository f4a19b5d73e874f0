import type { Benefit, BenefitProcedure } from './benefit.ts';
import { type CoverageOfRows, isOfWholePlan, type ReadRow, readRows, WHOLE_PLAN } from './read-rows.ts';
import type { BenefitSummary, CoverageBenefits, LevelSummary, PlanSummary } from './request-benefits.ts';
import { byLevel, byNetwork, isCovering, isDenying, isOfDay, isOver } from './summary-of-rows.ts';

/** A procedure that a request asks about, or a range of them. */
export interface AskedCode {
  /** The code in capitals; the first one of a range. */
  readonly code: string;
  /** The last code of a range; null or absent for a single code. */
  readonly lastCode?: string | null;
  readonly modifiers: readonly string[];
}

/** How a service or a code is covered, over all networks. */
export interface CoverVerdict {
  /** `both`: rows of the same day, in networks that do not tell them apart, say one and the other. */
  readonly kind: 'covered' | 'not_covered' | 'both' | 'not_said';
  /** The rows that it was made from. */
  readonly rows: readonly ReadRow[];
}

/**
 * The one reading of a coverage's rows. Each row is read once ({@link readRows}): on which days it holds, for whom, of what.
 * The summary of `requests.benefits`, the codes of the result, and the sentences of `notes` all come from it, so they
 * cannot contradict each other. A value where the rows that speak leave exactly one reading, else why there is none. Never
 * a guess.
 */
export class BenefitReading {
  /** All rows, in their order. */
  readonly rows: readonly ReadRow[];
  readonly #isInactive: boolean;
  readonly #ofPlan: readonly ReadRow[];
  readonly #byType = new Map<string, ReadRow[]>();
  /** Those that any row names. */
  readonly #types = new Set<string>();
  /** By code: a request asks about up to 97, and an answer may have a row for each of thousands. */
  readonly #byCode = new Map<string, NamingRow[]>();
  readonly #ranges: NamingRow[] = [];
  readonly #summaries = new Map<string, PlanSummary>();

  constructor(benefits: readonly Benefit[], coverage: CoverageOfRows) {
    this.rows = readRows(benefits, coverage);
    this.#isInactive = coverage.status === 'Inactive';
    this.#ofPlan = this.rows.filter(({ service }) => isOfWholePlan(service));
    for (const row of this.rows) this.#add(row);
  }

  #add(row: ReadRow): void {
    const { procedure, types } = row.service;
    for (const { code } of types) this.#types.add(code);
    if (procedure === null) {
      for (const { code } of new Set(types)) {
        const alike = this.#byType.get(code);
        if (!alike) this.#byType.set(code, [row]);
        else if (alike.at(-1) !== row) alike.push(row);
      }
      return;
    }
    const ranges: CodeRange[] = [];
    const byCode = new Map<string, CodeRange[]>();
    for (const range of rangesOf(row.service))
      if (range.first !== range.last) ranges.push(range);
      else byCode.set(range.first, [...(byCode.get(range.first) ?? []), range]);
    if (ranges.length > 0 && this.#ranges.length < RANGE_ROW_COUNT_MAX)
      this.#ranges.push({ row, named: ranges });
    for (const [code, named] of byCode) {
      const alike = this.#byCode.get(code);
      if (alike) alike.push({ row, named });
      else this.#byCode.set(code, [{ row, named }]);
    }
  }

  /** The plan as a whole: rows of service type 30, or of no service type and no procedure. */
  ofPlan(): PlanSummary {
    return this.#summary('plan', () => this.#ofPlan, this.#isInactive);
  }

  /** A service type: rows that name it, and no procedure. */
  ofType(type: string): PlanSummary {
    return this.#summary(`type ${type}`, () => this.#byType.get(type) ?? []);
  }

  /** A procedure: rows that name it; never the plan's or a service type's. */
  ofProcedure(asked: AskedCode): PlanSummary {
    return this.#summary(keyOfCode(asked), () => this.rowsOfProcedure(asked));
  }

  /** What is to be spent first, and what is left of it (EB01 Y), for the plan (null) or a service type. */
  spendDown(type: string | null): LevelSummary {
    const rows = type === null ? this.#ofPlan : (this.#byType.get(type) ?? []);
    return byLevel(rows.filter((row) => row.benefit.kind === 'spend_down' && isOfDay(row)));
  }

  /** Whether a service type is covered, by the rows that name it. */
  coverOfType(type: string): CoverVerdict {
    return verdictOf(this.#byType.get(type) ?? []);
  }

  /** Whether a code is covered, by the rows that name it or a range it is in. */
  coverOfProcedure(asked: AskedCode): CoverVerdict {
    return verdictOf(this.rowsOfProcedure(asked));
  }

  /** Whether a row names the service type. */
  hasType(type: string): boolean {
    return this.#types.has(type);
  }

  /** Whether a row names the procedure, or a range it is in, and says neither that it is covered nor that it is not. */
  names(asked: AskedCode): boolean {
    return this.#naming(asked).some(({ row }) => verdictOf([row]).kind === 'not_said');
  }

  /** Whether a row of the day speaks of the plan as a whole. */
  isPlanAnswered(): boolean {
    return this.#ofPlan.some(isOfDay);
  }

  /** Whether a row of the day names the procedure, or a range it is in. */
  isProcedureAnswered(asked: AskedCode): boolean {
    return this.rowsOfProcedure(asked).some((row) => isOfDay(row) || isOver(row));
  }

  #summary(key: string, rowsOf: () => readonly ReadRow[], mayEnd = true): PlanSummary {
    const known = this.#summaries.get(key);
    if (known) return known;
    const read = byNetwork(rowsOf(), { isInactive: this.#isInactive, mayEnd });
    if (this.#summaries.size < SUMMARY_COUNT_MAX) this.#summaries.set(key, read);
    return read;
  }

  /**
   * The rows that name a code, or a range it is in. For a code with modifiers the rows with the same ones speak, else those
   * with none; for a code without, those with none, else all.
   */
  rowsOfProcedure(asked: AskedCode): readonly ReadRow[] {
    const wanted = keyOf(asked.modifiers);
    const naming = this.#naming(asked);
    const withKey = (key: string) =>
      naming.filter(({ named }) => named.some((one) => one.key === key && isAmong(one, asked)));
    const same = withKey(wanted);
    const speaking = same.length > 0 ? same : wanted === '' ? naming : withKey('');
    return speaking.map(({ row }) => row);
  }

  #naming(asked: AskedCode): readonly NamingRow[] {
    const { code, lastCode = null } = asked;
    const ofCode = lastCode === null ? (this.#byCode.get(code) ?? []) : this.#codesIn(asked);
    const ofRanges = this.#ranges.filter(({ named }) => named.some((one) => isAmong(one, asked)));
    if (ofRanges.length === 0) return ofCode;
    const seen = new Set<ReadRow>();
    return [...ofCode, ...ofRanges]
      .toSorted((one, other) => one.row.place - other.row.place)
      .filter(({ row }) => !seen.has(row) && seen.add(row));
  }

  /** Of a range: all rows that name a code in it. */
  #codesIn(asked: AskedCode): NamingRow[] {
    const all: NamingRow[] = [];
    for (const alike of this.#byCode.values()) {
      const [first] = alike;
      if (first?.named.some((one) => isAmong(one, asked))) all.push(...alike);
    }
    return all;
  }
}

/** More rows with ranges than any answer has: each code is compared with each range. */
const RANGE_ROW_COUNT_MAX = 2_000;

/** More services than are noted or asked for. */
const SUMMARY_COUNT_MAX = 1_000;

/**
 * Reads whether rows cover a service. Cover of another day is no cover: where no row of the day says either, an ended or a
 * later one denies it, and so does an end (EB01 6). A denial out of network only, or in some cases only, takes nothing away.
 */
export function verdictOf(rows: readonly ReadRow[]): CoverVerdict {
  const theirs = rows.filter(
    ({ benefit, standing }) => standing !== 'elsewhere' && (isCovering(benefit) || isDenying(benefit)),
  );
  const covering = theirs.filter((row) => isOfDay(row) && isCovering(row.benefit));
  const denying = theirs.filter(
    ({ benefit, standing, days }) =>
      isDenying(benefit) && days.time === 'now' && benefit.network !== 'out' && standing === 'speaks',
  );
  const over = theirs.filter((row) => !isOfDay(row) && isOver(row));
  if (covering.length === 0) {
    const against = denying.length > 0 ? denying : over;
    return { kind: against.length > 0 ? 'not_covered' : 'not_said', rows: against };
  }
  return { kind: denying.length > 0 ? 'both' : 'covered', rows: [...covering, ...denying] };
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

/** The services that a request asks about. */
interface AskedServices {
  readonly types: readonly string[];
  readonly procedures: readonly (AskedCode & { readonly texts: readonly string[] })[];
  /** Whether the entry has a status: a person gives the plan's status there, and not in a row. */
  readonly isPlanAnswered: boolean;
}

/** Lists what was asked for and no row of the coverage names on the day. */
export function unansweredServices(
  reading: BenefitReading,
  { types, procedures, isPlanAnswered }: AskedServices,
): CoverageBenefits['unanswered'] {
  const isAnswered = (type: string) =>
    reading.hasType(type) || (type === WHOLE_PLAN && (isPlanAnswered || reading.isPlanAnswered()));
  return [
    ...procedures
      .filter((procedure) => !reading.isProcedureAnswered(procedure))
      .flatMap(({ texts }) => texts.map((procedure) => ({ procedure }))),
    ...types.filter((type) => !isAnswered(type)).map((type) => ({ service_type: type })),
  ];
}

interface NamingRow {
  readonly row: ReadRow;
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

function rangesOf(service: Benefit['service']): CodeRange[] {
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

function keyOfCode({ code, lastCode = null, modifiers }: AskedCode): string {
  return `code ${code} ${lastCode ?? ''} ${keyOf(modifiers)}`;
}
