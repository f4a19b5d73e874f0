import {
  type AskedCode,
  type BenefitProcedure,
  type BenefitReading,
  type CoverVerdict,
  isCovering,
  isDenying,
  type ReadRow,
  verdictOf,
} from '@insurance-verification/schema';
import { type AskedProcedure, modifiersKey } from '../to-eligibility-inquiry.ts';

/** The procedure codes of an answer. Asked codes are spelled as the provider wrote them. */
export interface CodeAnswers {
  /** Codes that rows of the day cover and none denies, in answer order. */
  readonly covered: readonly string[];
  /** Codes that no row of the day covers, and that rows deny, or cover on other days only. */
  readonly notCovered: readonly DeniedCode[];
  /** Codes of which rows of one day say both. */
  readonly both: readonly string[];
  /** Asked codes without an answer. */
  readonly silent: readonly string[];
  /** The unanswered codes whose rows, or rows for a range that they are in, say something else: an amount, a limit, a referral to the plan. */
  readonly named: readonly string[];
}

/** A code that is not covered, with the rows that say it. */
interface DeniedCode {
  readonly text: string;
  readonly rows: readonly ReadRow[];
}

/** Everything said about one code with the same modifiers. */
interface Said {
  readonly procedure: AskedCode;
  readonly rows: ReadRow[];
}

interface Given {
  readonly texts: readonly string[];
  readonly place: number;
  readonly verdict: CoverVerdict;
}

/** The lists that a request's codes are of. */
const SYSTEMS: ReadonlySet<string> = new Set(['cpt_hcpcs', 'cpt', 'cdt']);

/** The codes of a reading: those asked for, then the others that rows name one by one. */
export function codeAnswers(reading: BenefitReading, asked: readonly AskedProcedure[]): CodeAnswers {
  const given: Given[] = [];
  const silent: AskedProcedure[] = [];
  const used = new Set<string>();
  for (const one of asked) {
    const verdict = reading.coverOfProcedure(one);
    if (verdict.kind === 'not_said') silent.push(one);
    else given.push(givenBy(one.texts, verdict));
    used.add(keyOf(one));
    if (verdict.kind !== 'not_said')
      for (const key of keysOf(one, reading.rowsOfProcedure(one))) used.add(key);
  }
  for (const [key, { procedure, rows }] of saidOf(reading)) {
    if (used.has(key)) continue;
    const verdict = verdictOf(rows);
    if (verdict.kind === 'not_said') continue;
    given.push(givenBy([[procedure.code, ...procedure.modifiers].join('-')], verdict));
  }
  given.sort((one, other) => one.place - other.place);
  const of = (kind: CoverVerdict['kind']) => given.filter(({ verdict }) => verdict.kind === kind);
  return {
    covered: of('covered').flatMap(({ texts }) => texts),
    notCovered: of('not_covered').flatMap(({ texts, verdict }) =>
      texts.map((text) => ({ text, rows: verdict.rows })),
    ),
    both: of('both').flatMap(({ texts }) => texts),
    silent: silent.flatMap(({ texts }) => texts),
    named: silent.filter((one) => reading.names(one)).flatMap(({ texts }) => texts),
  };
}

/** The spellings of an asked code in the rows that answer it: they are not listed again. */
function keysOf({ code }: AskedProcedure, rows: readonly ReadRow[]): string[] {
  return rows.flatMap(({ service: { procedure, more_procedures: more } }) =>
    [procedure, ...more].flatMap((one) => (one?.code.toUpperCase() === code ? [keyOf(asAsked(one))] : [])),
  );
}

function givenBy(texts: readonly string[], verdict: CoverVerdict): Given {
  const place = verdict.rows.reduce((first, row) => Math.min(first, row.place), Infinity);
  return { texts, place, verdict };
}

/** The rows about each single code, with its modifiers. */
function saidOf(reading: BenefitReading): ReadonlyMap<string, Said> {
  const byKey = new Map<string, Said>();
  for (const row of reading.rows) {
    const { procedure, more_procedures: more } = row.service;
    if (procedure === null || !(isCovering(row.benefit) || isDenying(row.benefit))) continue;
    for (const one of more.length === 0 ? [procedure] : [procedure, ...more]) {
      if (!SYSTEMS.has(one.system) || one.last_code !== null) continue;
      const named = asAsked(one);
      const key = keyOf(named);
      const said = byKey.get(key);
      if (said) said.rows.push(row);
      else byKey.set(key, { procedure: named, rows: [row] });
    }
  }
  return byKey;
}

function asAsked({ code, modifiers }: BenefitProcedure): AskedCode {
  return { code: code.toUpperCase(), modifiers };
}

function keyOf(one: AskedCode): string {
  return `${one.code}-${modifiersKey(one)}`;
}
