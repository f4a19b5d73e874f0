import { isOfPatient, type PatientRelationship } from '@insurance-verification/schema';
import type { Benefit } from '../answer/eligibility-answer.ts';
import type { RelatedEntity } from '../parts/parts.ts';
import type { Period } from '../parts/read-parts.ts';
import { insuranceTypeName, plainText, serviceTypeNames } from './codes.ts';
import { otherPayerPeriod } from './coverages/coverage-period.ts';
import { namedPlan } from './coverages/plan-numbers.ts';
import { OTHER_PAYER, WHOLE_PLAN } from './eb-codes.ts';
import { type EntryHead, insuranceEntry, type ReadEntry } from './insurance-entry.ts';
import { gathered } from './kept-row.ts';
import { isKnown, type Known, otherMemberId } from './notes/note-of-party.ts';
import { daysText, unreadNotes } from './notes/payer-notes.ts';
import { peopleName } from './notes/row-texts.ts';
import { nameText, payersAmong } from './patient-of.ts';
import type { AnswerContext } from './read-finding.ts';
import { onlyOrder, ORDER_OF_ROLE } from './slugs-of-row.ts';
import { levelOf } from './slugs.ts';

/** More payers than any patient has. */
const OTHER_PAYER_COUNT_MAX = 50;

/** One EB R about one payer: two payers may follow one row. */
interface Statement {
  readonly row: Benefit;
  readonly payer: RelatedEntity | undefined;
  /** The payer, and the parties after it up to the next payer; those before the first belong to the first. */
  readonly parties: readonly RelatedEntity[];
  readonly period: Period;
}

/** The context of the answer, with who the patient is, and who answers. */
interface OtherPayerContext extends AnswerContext {
  readonly relationship: PatientRelationship | null;
  readonly knownOf: (row: Benefit) => Known;
}

/** One entry per other payer, plan and period that the answer names below an EB01 R. */
export function otherPayers(
  benefits: readonly Benefit[],
  head: EntryHead,
  context: OtherPayerContext,
): ReadEntry[] {
  const byPayer = new Map<string, Statement[]>();
  for (const row of benefits) {
    if (row.code !== OTHER_PAYER || isOfPatient(levelOf(row), context.relationship) === false) continue;
    const period = otherPayerPeriod(row.dates, context.serviceDate);
    const payers = payersAmong(row.entities);
    const placeOf = new Map(row.entities.map((entity, place) => [entity, place]));
    const places = payers.map((payer) => (payer === undefined ? 0 : placeOf.get(payer)));
    for (const [index, payer] of payers.entries()) {
      if (payer?.name && isOnlyItself(row, payer, payers.length, context.knownOf(row))) continue;
      // A line break is safe as a separator: no value holds one.
      const key = [payer?.id, nameOf(payer), row.planName, row.insuranceType, period.start, period.end].join(
        '\n',
      );
      const known = byPayer.get(key);
      const parties = row.entities.slice(index === 0 ? 0 : places[index], places[index + 1]);
      if (known) known.push({ row, payer, parties, period });
      else if (byPayer.size < OTHER_PAYER_COUNT_MAX) byPayer.set(key, [{ row, payer, parties, period }]);
    }
  }
  return [...byPayer.values()].map((stated) => otherPayerEntry(stated, head, context));
}

/** The payer that answers, in a list of all payers in their order, or without another member id: no other payer. */
function isOnlyItself(row: Benefit, payer: RelatedEntity, count: number, known: Known): boolean {
  if (!isKnown(payer, { ...known, provider: '', providerId: null })) return false;
  return count > 1 || otherMemberId(row, known) === null;
}

function nameOf(payer: RelatedEntity | undefined): string | null {
  return payer?.name ? nameText(payer.name) : null;
}

function otherPayerEntry(
  stated: readonly Statement[],
  head: EntryHead,
  context: OtherPayerContext,
): ReadEntry {
  const [first] = stated;
  if (!first) throw new Error('An other payer stands behind a row');
  const { row, period } = first;
  const rows = stated.map((one) => one.row);
  const name = nameOf(first.payer);
  const plain = plainText(name ?? '');
  const configured = context.payerNames.find((one) => plainText(one) === plain);
  const orders = stated
    .map(({ payer }) => ORDER_OF_ROLE.get(payer?.role ?? ''))
    .filter((order) => order !== undefined);
  const types = gathered(rows, 'serviceTypes').filter((type) => type !== WHOLE_PLAN);
  const facts = [
    ...new Set(orders),
    ...(row.insuranceType === null ? [] : [insuranceTypeName(row.insuranceType)]),
    ...(types.length === 0 ? [] : [`for ${serviceTypeNames(types, 'service')}`]),
    ...(period.start === null && period.end === null ? otherDates(row) : [daysText(period)]),
    ...memberIdsOf(stated),
    ...(isOfPatient(levelOf(row), context.relationship) === null ? [`of ${peopleName(levelOf(row))}`] : []),
  ];
  const subject = name === null ? 'Another payer covers the patient too' : `Other payer: ${name}`;
  const data = insuranceEntry(
    head,
    {
      notes: [`${[subject, ...facts].join(', ')}.`, ...unreadNotes([], rows)],
      messages: gathered(rows, 'messages'),
    },
    {
      ...(configured !== undefined && { payer_name: configured }),
      plan_name: row.planName ?? namedPlan(row.references),
      eligibility_status: null,
      start_date: period.start,
      end_date: period.end,
      cpt_code_coverage: null,
    },
  );
  const numbers = gathered(rows, 'references');
  return { data, rows, reading: null, isByLoop: false, numbers, orderByRole: onlyOrder(orders) };
}

/** Days that are not a period of the coverage: they are noted with their kind. */
function otherDates({ dates }: Benefit): string[] {
  return dates
    .slice(0, DATE_COUNT_MAX)
    .map((date) => `${DATES.get(date.qualifier) ?? `DTP ${date.qualifier}`} ${daysText(date)}`);
}

const DATES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    193: 'period from',
    194: 'period to',
    292: 'benefit year',
  } as const),
);

const DATE_COUNT_MAX = 5;

/** RFI 1914: the patient's id with the other payer, as NM109 of the insured or in a REF, and the plan's number. */
function memberIdsOf(stated: readonly Statement[]): string[] {
  const ids = new Set<string>();
  for (const {
    row: { references },
    parties,
  } of stated) {
    for (const { role, id, idQualifier } of parties)
      if (id !== null && (role === 'IL' || idQualifier === 'MI')) ids.add(`member id ${id}`);
    for (const { qualifier, id } of references) {
      const kind = REFERENCES.get(qualifier);
      if (kind !== undefined && id !== '') ids.add(`${kind} ${id}`);
    }
  }
  return [...ids].slice(0, ID_COUNT_MAX);
}

const REFERENCES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    '1W': 'member id',
    '0F': 'subscriber number',
    IG: 'policy number',
    '6P': 'group number',
    '1L': 'group or policy number',
    18: 'plan number',
    F6: 'Medicare id',
    NQ: 'Medicaid id',
  } as const),
);

const ID_COUNT_MAX = 6;
