import type { AskedCode, BenefitReading, CoverVerdict, ReadRow } from '@insurance-verification/schema';
import { type AskedProcedure, modifiersKey } from '../to-eligibility-inquiry.ts';

/** The procedure codes of an answer. Asked codes are spelled as the provider wrote them. */
export interface CodeAnswers {
  /** Codes that rows of the day cover and none denies, in answer order. */
  readonly covered: readonly string[];
  /** Codes that no row of the day covers, and that rows deny, or cover on other days only. */
  readonly notCovered: readonly DeniedCode[];
  /** Codes that rows of one day both cover and deny. */
  readonly both: readonly string[];
  /** Codes that are denied in network, and covered out of it. */
  readonly farOnly: readonly string[];
  /** The codes of both lists, in capitals and without modifiers. */
  readonly held: ReadonlySet<string>;
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

interface Given {
  readonly code: string;
  readonly texts: readonly string[];
  readonly place: number;
  readonly verdict: CoverVerdict;
}

/** The codes of a reading: those asked for, then the others that rows name one by one. */
export function codeAnswers(reading: BenefitReading, asked: readonly AskedProcedure[]): CodeAnswers {
  const given: Given[] = [];
  const silent: AskedProcedure[] = [];
  const used = new Set<string>();
  for (const one of asked) {
    const verdict = reading.coverOfProcedure(one);
    if (verdict.kind === 'not_said') silent.push(one);
    else given.push(givenBy(one, one.texts, verdict));
    used.add(keyOf(one));
    if (verdict.kind !== 'not_said')
      for (const key of keysOf(one, reading.rowsOfProcedure(one))) used.add(key);
  }
  for (const { procedure } of reading.namedProcedures()) {
    if (procedure.lastCode !== null || used.has(keyOf(procedure))) continue;
    const verdict = reading.coverOfNamed(procedure);
    if (verdict.kind === 'not_said') continue;
    given.push(givenBy(procedure, [[procedure.code, ...procedure.modifiers].join('-')], verdict));
  }
  given.sort((one, other) => one.place - other.place);
  const of = (kind: CoverVerdict['kind']) => given.filter(({ verdict }) => verdict.kind === kind);
  return {
    covered: of('covered').flatMap(({ texts }) => texts),
    notCovered: of('not_covered').flatMap(({ texts, verdict }) =>
      texts.map((text) => ({ text, rows: verdict.rows })),
    ),
    held: new Set([...of('covered'), ...of('both')].map(({ code }) => code)),
    both: of('both').flatMap(({ texts, verdict }) => (verdict.isByNetwork ? [] : texts)),
    farOnly: of('both').flatMap(({ texts, verdict }) => (verdict.isByNetwork ? texts : [])),
    silent: silent.flatMap(({ texts }) => texts),
    named: silent.filter((one) => reading.names(one)).flatMap(({ texts }) => texts),
  };
}

/** The spellings of an asked code in the rows that answer it: they are not listed again. */
function keysOf({ code }: AskedProcedure, rows: readonly ReadRow[]): string[] {
  return rows.flatMap(({ service: { procedure, more_procedures: more } }) =>
    [procedure, ...more].flatMap((one) =>
      one?.code.toUpperCase() === code ? [keyOf({ code, modifiers: one.modifiers })] : [],
    ),
  );
}

function givenBy({ code }: AskedCode, texts: readonly string[], verdict: CoverVerdict): Given {
  const place = verdict.rows.reduce((first, row) => Math.min(first, row.place), Infinity);
  return { code, texts, place, verdict };
}

function keyOf(one: AskedCode): string {
  return `${one.code}-${modifiersKey(one)}`;
}
