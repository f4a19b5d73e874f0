import type { Benefit, BenefitProcedure } from './benefit.ts';
import {
  type CoverageOfRows,
  isNarrow,
  isOfWholePlan,
  type ReadRow,
  readRows,
  WHOLE_PLAN,
} from './read-rows.ts';
import type { BenefitSummary, CoverageBenefits, LevelSummary, PlanSummary } from './request-benefits.ts';
import {
  authorizationOf,
  byLevel,
  byNetwork,
  isCovering,
  isDenying,
  isOfDay,
  isOver,
} from './summary-of-rows.ts';

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
  /** `both`: rows of the same day, in networks that do not distinguish them, say one and the other. */
  readonly kind: 'covered' | 'not_covered' | 'both' | 'not_said';
  /** The rows that it was made from. */
  readonly rows: readonly ReadRow[];
  /** A `both` by network: rows deny it in network only, and cover it out of network only. */
  readonly isByNetwork: boolean;
}

/**
 * The one reading of a coverage's rows. Each row is read once ({@link readRows}): on which days it holds, for whom, of what.
 * The summary of `requests.benefits`, the codes of the result, and the sentences of `notes` all come from it, so they
 * cannot contradict each other. A value where the rows that speak leave exactly one reading, else the reason without one. Never
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
  #rangeCount = 0;
  /** By code or range with its modifiers. */
  readonly #byName = new Map<string, NamedProcedure>();
  readonly #summaries = new Map<string, PlanSummary>();
  readonly #verdicts = new Map<string, CoverVerdict>();
  readonly #authorizations = new Map<string, boolean>();

  constructor(benefits: readonly Benefit[], coverage: CoverageOfRows) {
    this.rows = readRows(benefits, coverage);
    this.#isInactive = coverage.status === 'Inactive';
    this.#ofPlan = this.rows.filter(({ service, isUnassigned }) => isOfWholePlan(service) && !isUnassigned);
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
    for (const one of proceduresOf(row.service)) {
      const key = keyOfCode(one);
      const known = this.#byName.get(key);
      if (!known) this.#byName.set(key, { procedure: one, rows: [row] });
      else if (known.rows.at(-1) !== row) known.rows.push(row);
    }
    const ranges: CodeRange[] = [];
    const byCode = new Map<string, CodeRange[]>();
    for (const range of rangesOf(row.service))
      if (range.first !== range.last) ranges.push(range);
      else {
        const alike = byCode.get(range.first);
        if (alike) alike.push(range);
        else byCode.set(range.first, [range]);
      }
    if (ranges.length > 0 && this.#rangeCount < RANGE_COUNT_MAX) {
      this.#ranges.push({ row, named: ranges.slice(0, RANGE_COUNT_MAX - this.#rangeCount) });
      this.#rangeCount += ranges.length;
    }
    for (const [code, named] of byCode) {
      const alike = this.#byCode.get(code);
      if (alike) alike.push({ row, named });
      else this.#byCode.set(code, [{ row, named }]);
    }
  }

  /** The plan as a whole: rows of service type 30, or of no service type and no procedure. */
  ofPlan(): PlanSummary {
    return this.#summary('plan', () => this.#ofPlan, true);
  }

  /** A service type: rows that name it, and no procedure. */
  ofType(type: string): PlanSummary {
    return this.#summary(`type ${type}`, () => this.#byType.get(type) ?? []);
  }

  /** A procedure: rows that name it; never the plan's or a service type's. */
  ofProcedure(asked: AskedCode): PlanSummary {
    return this.#summary(keyOfCode(asked), () => this.rowsOfProcedure(asked));
  }

  /** Reads what is to be spent first, and what is left of it (EB01 Y), for the plan, a service type or a code. */
  spendDown(of: 'plan' | { readonly type: string } | { readonly procedure: AskedCode }): LevelSummary {
    const rows =
      of === 'plan'
        ? this.#ofPlan
        : 'type' in of
          ? (this.#byType.get(of.type) ?? [])
          : this.rowsOfProcedure(of.procedure);
    return byLevel(rows.filter((row) => row.benefit.kind === 'spend_down' && isOfDay(row)));
  }

  /** Reads whether a service type is covered, by the rows that name it. */
  coverOfType(type: string): CoverVerdict {
    return this.#verdict(`type ${type}`, this.#byType.get(type) ?? []);
  }

  /** Reads whether a code is covered, by the rows that name it or a range it is in. */
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

  /** The codes and ranges that rows name, each with the modifiers and the rows that name it so. */
  namedProcedures(): Iterable<NamedProcedure> {
    return this.#byName.values();
  }

  /** Whether a code or range is covered, by the rows that name it just so. */
  coverOfNamed(named: AskedCode): CoverVerdict {
    const key = keyOfCode(named);
    return this.#verdict(key, this.#byName.get(key)?.rows ?? []);
  }

  /** Whether all rows for the service of a row say the same of authorizations in its network. */
  hasOneAuthorization({ service, benefit: { network } }: ReadRow): boolean {
    const [first] = proceduresOf(service);
    const [type] = service.types;
    const isPlan = isOfWholePlan(service);
    const name = isPlan ? 'plan' : first ? keyOfCode(first) : `type ${type?.code}`;
    const key = `${name} ${network === 'either' ? 'in' : network}`;
    const known = this.#authorizations.get(key);
    if (known !== undefined) return known;
    const rows = isPlan
      ? this.#ofPlan
      : ((first ? this.#byName.get(name)?.rows : this.#byType.get(type?.code ?? '')) ?? []);
    const isOne = 'value' in authorizationOf(rows.filter(isOfDay), network);
    this.#authorizations.set(key, isOne);
    return isOne;
  }

  /** Whether a row of the day speaks of the plan as a whole. */
  isPlanAnswered(): boolean {
    return this.#ofPlan.some(isOfDay);
  }

  /** Whether a row of the day names the procedure, or a range it is in. */
  isProcedureAnswered(asked: AskedCode): boolean {
    return this.rowsOfProcedure(asked).some((row) => isOfDay(row) || isOver(row));
  }

  #verdict(key: string, rows: readonly ReadRow[]): CoverVerdict {
    const verdict = this.#verdicts.get(key) ?? verdictOf(rows);
    this.#verdicts.set(key, verdict);
    return verdict;
  }

  #summary(key: string, rowsOf: () => readonly ReadRow[], isPlan = false): PlanSummary {
    const known = this.#summaries.get(key);
    if (known) return known;
    const rows = rowsOf();
    // A row of the day that covers a service answers for one that ended, whichever networks they name.
    const mayEnd = this.#isInactive || (!isPlan && verdictOf(rows).kind !== 'covered');
    const read = byNetwork(rows, { isInactive: this.#isInactive, mayEnd });
    this.#summaries.set(key, read);
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

/** More ranges than any answer has: each code is compared with each range. */
const RANGE_COUNT_MAX = 2_000;

/** A code or range of a row, as one that may be asked about. */
export interface NamedProcedure {
  readonly procedure: AskedCode & { readonly lastCode: string | null };
  readonly rows: ReadRow[];
}

/**
 * Reads whether rows cover a service. Cover of another day is no cover: where no row of the day says either, an ended or a
 * later one denies it, and so does an end (EB01 6). A denial out of network only, or in some cases only, takes nothing away.
 */
function verdictOf(rows: readonly ReadRow[]): CoverVerdict {
  const theirs = rows.filter(
    ({ benefit, standing }) => standing !== 'elsewhere' && (isCovering(benefit) || isDenying(benefit)),
  );
  const covering = theirs.filter((row) => isOfDay(row) && isCovering(row.benefit));
  const denying = theirs.filter(
    ({ benefit, standing, days, isTheirs }) =>
      isDenying(benefit) &&
      days.time === 'now' &&
      benefit.network !== 'out' &&
      (standing === 'speaks' || (isTheirs === null && !isNarrow(benefit))),
  );
  const over = theirs.filter((row) => !isOfDay(row) && isOver(row));
  if (covering.length === 0) {
    const against = denying.length > 0 ? denying : over;
    return { kind: against.length > 0 ? 'not_covered' : 'not_said', rows: against, isByNetwork: false };
  }
  // Cover only out of network says nothing of the network: what ended there denies it.
  const isFarOnly = covering.every(({ benefit }) => benefit.network === 'out');
  const against = isFarOnly
    ? [...denying, ...over.filter(({ benefit }) => benefit.network !== 'out')]
    : denying;
  return {
    kind: against.length > 0 ? 'both' : 'covered',
    rows: [...covering, ...against],
    isByNetwork: isFarOnly && against.length > 0 && against.every(({ benefit }) => benefit.network === 'in'),
  };
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

/** The codes and ranges of a service, in capitals. */
function proceduresOf({
  procedure,
  more_procedures: more,
}: Benefit['service']): NamedProcedure['procedure'][] {
  const all: readonly (BenefitProcedure | null)[] = more.length === 0 ? [procedure] : [procedure, ...more];
  return all.flatMap((one) =>
    one === null || !SYSTEMS.has(one.system)
      ? []
      : [
          {
            code: one.code.toUpperCase(),
            lastCode: one.last_code?.toUpperCase() ?? null,
            modifiers: one.modifiers,
          },
        ],
  );
}

function rangesOf(service: Benefit['service']): CodeRange[] {
  return proceduresOf(service).map(({ code, lastCode, modifiers }) => ({
    first: code,
    last: lastCode ?? code,
    key: keyOf(modifiers),
  }));
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
