import { excludesDay, isOfPatient, type PatientRelationship } from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { type AnsweredProcedure } from '../../parts/parts.ts';
import { levelOf } from '../slugs.ts';
import { type AskedProcedure, modifiersKey } from '../to-eligibility-inquiry.ts';
import { rowPeriod } from './coverage-period.ts';
import { EXCLUDED, NON_COVERED, statusOf } from './deciding-rows.ts';

/** EB13 qualifiers of CPT, HCPCS and dental codes. */
const QUALIFIERS: ReadonlySet<string> = new Set(['HC', 'CJ', 'AD']);

/** The procedure codes of an answer. Asked codes are spelled as the provider wrote them. */
export interface CodeAnswers {
  /** Codes with a positive EB01 and no negative one, in answer order. */
  readonly covered: readonly string[];
  /** Codes with a negative answer, or with both. */
  readonly notCovered: readonly string[];
  /** Asked codes without an answer. */
  readonly silent: readonly string[];
  /** The unanswered codes whose rows, or rows for a range that they are in, say something else: an amount, a limit, a referral to the plan. */
  readonly named: readonly string[];
}

/** Everything said about one code with the same modifiers, or about one range. */
interface Said {
  readonly procedure: AnsweredProcedure;
  /** {@link modifiersKey} of the procedure. */
  readonly modifiers: string;
  /** The position of its first row in the answer. */
  readonly place: number;
  isCovered: boolean;
  isRefused: boolean;
  /** Whether it answered an asked code. */
  isUsed: boolean;
}

/**
 * Reads EB13 of all rows. A code that was asked with modifiers is answered by rows with the same modifiers, else by rows
 * with none; a code without, by rows with none, else by any. A range answers the codes in it.
 */
export function codeAnswers(
  benefits: readonly Benefit[],
  asked: readonly AskedProcedure[],
  relationship: PatientRelationship | null,
  serviceDate: string,
): CodeAnswers {
  const { byCode, ranges, named } = saidOf(benefits, relationship, serviceDate);
  const given: { readonly texts: readonly string[]; readonly place: number; readonly isCovered: boolean }[] =
    [];
  const silent: AskedProcedure[] = [];
  for (const one of asked) {
    const deciding = decidingFor(one, [
      ...(byCode.get(one.code) ?? []),
      ...ranges.filter(({ procedure }) => isIn(procedure, one.code)),
    ]);
    for (const said of deciding) said.isUsed = true;
    if (deciding.length === 0) silent.push(one);
    else {
      const isCovered = deciding.every((said) => said.isCovered && !said.isRefused);
      const place = deciding.reduce((first, said) => Math.min(first, said.place), Infinity);
      given.push({ texts: one.texts, place, isCovered });
    }
  }
  for (const alike of byCode.values()) {
    for (const { procedure, place, isCovered, isRefused, isUsed } of alike) {
      if (isUsed) continue;
      const { code, modifiers } = procedure;
      const text = modifiers.length === 0 ? code : [code, ...modifiers].join('-');
      given.push({ texts: [text], place, isCovered: isCovered && !isRefused });
    }
  }
  given.sort((one, other) => one.place - other.place);
  const covered: string[] = [];
  const notCovered: string[] = [];
  for (const { texts, isCovered } of given)
    for (const text of texts) (isCovered ? covered : notCovered).push(text);
  return {
    covered,
    notCovered,
    silent: silent.flatMap(({ texts }) => texts),
    named: silent.filter(({ code }) => named.some((one) => isIn(one, code))).flatMap(({ texts }) => texts),
  };
}

function decidingFor(asked: AskedProcedure, said: readonly Said[]): readonly Said[] {
  if (said.length === 0) return said;
  const wanted = modifiersKey(asked);
  const same = said.filter(({ modifiers }) => modifiers === wanted);
  if (same.length > 0) return same;
  return wanted === '' ? said : said.filter(({ modifiers }) => modifiers === '');
}

type CodeRange = Pick<AnsweredProcedure, 'code' | 'lastCode'>;

/** Whether a code is the one that a row names, or in its range. */
function isIn({ code: first, lastCode }: CodeRange, code: string): boolean {
  return code.length === first.length && code >= first && code <= (lastCode ?? first);
}

/** The rows' answers, by code and by range. */
function saidOf(benefits: readonly Benefit[], relationship: PatientRelationship | null, serviceDate: string) {
  const byKey = new Map<string, Said>();
  const byCode = new Map<string, Said[]>();
  const ranges: Said[] = [];
  const named: CodeRange[] = [];
  for (const row of benefits) {
    if (row.procedures.length === 0) continue;
    const isTheirs = isOfPatient(levelOf(row), relationship) !== false;
    const verdict = isTheirs ? verdictOf(row, serviceDate) : null;
    for (const procedure of row.procedures) {
      if (!QUALIFIERS.has(procedure.qualifier)) continue;
      const code = procedure.code.toUpperCase();
      const lastCode = procedure.lastCode?.toUpperCase() ?? null;
      if (verdict === null) {
        named.push({ code, lastCode });
        continue;
      }
      const modifiers = modifiersKey(procedure);
      const key = `${code}-${lastCode ?? ''}-${modifiers}`;
      let said = byKey.get(key);
      if (!said) {
        said = {
          procedure: { ...procedure, code, lastCode },
          modifiers,
          place: byKey.size,
          isCovered: false,
          isRefused: false,
          isUsed: false,
        };
        byKey.set(key, said);
        const alike = lastCode === null ? byCode.get(code) : ranges;
        if (alike) alike.push(said);
        else byCode.set(code, [said]);
      }
      if (verdict === 'covered') said.isCovered = true;
      else said.isRefused = true;
    }
  }
  return { byCode, ranges, named };
}

/** Whether the row is about some ages or places only. */
function isNarrowed({ quantityQualifier, information }: Benefit): boolean {
  return (
    quantityQualifier === 'S7' ||
    quantityQualifier === 'S8' ||
    information.some(({ qualifier }) => qualifier === 'ZZ')
  );
}

/** Null when the row says neither. */
function verdictOf(row: Benefit, serviceDate: string): 'covered' | 'refused' | null {
  const status = statusOf(row.code);
  if (status === 'Active')
    return excludesDay(rowPeriod(row.dates, serviceDate), serviceDate) ? 'refused' : 'covered';
  if (row.code !== NON_COVERED && row.code !== EXCLUDED && status !== 'Inactive') return null;
  // A denial that concerns only other providers, ages or places leaves the code covered.
  return row.inNetwork === 'N' || isNarrowed(row) ? null : 'refused';
}
