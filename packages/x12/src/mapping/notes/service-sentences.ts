import {
  type BenefitProcedure,
  type BenefitReading,
  isOfWholePlan,
  type ReadRow,
} from '@insurance-verification/schema';
import type { Benefit } from '../../answer/eligibility-answer.ts';
import { NONE } from '../../parts/parts.ts';
import { isSamePlain, serviceTypeNames } from '../codes.ts';
import type { Coverage } from '../coverages/coverages-of.ts';
import { statusOf } from '../eb-codes.ts';
import { procedureText } from '../to-eligibility-inquiry.ts';

/** A sentence about services; sentences alike are written once, with all of their services. */
export interface Said {
  readonly text: string;
  readonly row: NotedRow;
  /** The service types that it is about, where it is not about all of the row's. */
  readonly types?: readonly string[];
}

/** A row as it was sent, with what was read from it. */
export interface NotedRow extends ReadRow {
  readonly sent: Benefit;
}

/** One sentence for each text, with the services, codes or plan of its rows. */
export function sentencesOf(
  said: readonly Said[],
  coverage: Coverage,
  agreed: ReadonlySet<string>,
): string[] {
  const subjects = new Map<
    string,
    { types: Set<string>; codes: Set<string>; isPlan: boolean; isUnassigned: boolean }
  >();
  for (const { text, row, types = row.service.types.map(({ code }) => code) } of said) {
    const { planName } = row.sent;
    const isOther = planName !== null && !isSamePlain(planName, coverage.planName ?? '');
    const isElsewhere = row.standing === 'elsewhere' && row.sent.references.length > 0;
    const note = isOther ? `${text} for ${planName}` : isElsewhere ? `${text} for another plan` : text;
    const known = subjects.get(note);
    const subject = known ?? { types: new Set(), codes: new Set(), isPlan: false, isUnassigned: false };
    if (!known) subjects.set(note, subject);
    const mayAgree = !isOther && STATUS_SENTENCE.test(text);
    for (const type of types) if (!mayAgree || !agreed.has(type)) subject.types.add(type);
    for (const one of proceduresOf(row))
      if (text !== OUT_OF_NETWORK || !agreed.has(one.code))
        if (subject.codes.size < CODE_COUNT_MAX)
          subject.codes.add(procedureText({ ...one, lastCode: one.last_code }));
    if (row.isUnassigned) subject.isUnassigned = true;
    else if (isOfWholePlan(row.service)) subject.isPlan = true;
  }
  const sentences: string[] = [];
  for (const [note, { types, codes, isPlan, isUnassigned }] of subjects) {
    const about = [...(types.size > 0 ? [serviceTypeNames(types)] : []), ...codes];
    if (isUnassigned) sentences.push(`The payer does not say of which service: ${note}.`);
    if (isPlan) sentences.push(`The payer also says: ${note}.`);
    else if (about.length > 0) sentences.push(`${about.join(', ')}: ${note}.`);
  }
  return sentences;
}

const CODE_COUNT_MAX = 20;

export function proceduresOf({
  service: { procedure, more_procedures: more },
}: ReadRow): readonly BenefitProcedure[] {
  return procedure === null ? NONE : [procedure, ...more];
}

export const OUT_OF_NETWORK = 'covered out of network (EB12 N)';

/** Sentences of a status that a row in another network may say otherwise, or that the coverage says too. */
const STATUS_SENTENCE = /^(covered out|Active)/;

/** Service types and codes whose rows of the day agree with the coverage. */
export function agreedTypes(
  coverage: Coverage,
  own: readonly Benefit[],
  { rows }: BenefitReading,
): ReadonlySet<string> {
  const agreed = new Set<string>();
  for (const { place, service, days, isTheirs, benefit } of rows) {
    if (days.time !== 'now' || isTheirs === false || benefit.network === 'out') continue;
    if (statusOf(own[place]?.code ?? '') !== coverage.saidStatus) continue;
    if (service.procedure === null) for (const { code } of service.types) agreed.add(code);
    else for (const { code } of [service.procedure, ...service.more_procedures]) agreed.add(code);
  }
  return agreed;
}
