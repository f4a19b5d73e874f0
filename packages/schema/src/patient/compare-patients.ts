import { birthDateReadings, isSameReading } from './birth-date-readings.ts';
import { compareMemberIds, type IdComparison } from './compare-member-ids.ts';
import { compareNames, type NameComparison } from './compare-names.ts';
import { parsePersonName } from './person-name.ts';

/** What is known of a patient. A part that is absent, blank or a placeholder (`unknown`, `1900-01-01`) is not given. */
export interface ComparedPatient {
  readonly subscriber_id?: string | null | undefined;
  /** Free text; a date with several readings has all of them. */
  readonly dob?: string | null | undefined;
  /** Free text; a comma declares the last name: `SMITH, JANE`. */
  readonly name?: string | null | undefined;
}

export type PatientField = 'subscriber_id' | 'dob' | 'name';

/** Whether two patients are one. */
export type PatientComparison =
  | {
      readonly kind: 'same';
      /** Both birth dates are given, and agree. */
      readonly byBirthDate: boolean;
      /** The middle names differ: another member that fits without this is the patient. */
      readonly middleNamesDiffer: boolean;
    }
  | {
      readonly kind: 'another' | 'cannot_tell';
      /** What differs, or is not known well enough; the deciding one first. */
      readonly fields: readonly PatientField[];
    };

/**
 * Whether two patients are the same person. A family shares one member id, so an equal id proves nothing. The first
 * row that matches decides.
 *
 * | # | birth dates   | member ids | names                          | they are     |
 * |---|---------------|------------|--------------------------------|--------------|
 * | 1 | any           | any        | two suffixes (Sr, Jr)          | another      |
 * | 2 | differ        | any        | any                            | another      |
 * | 3 | agree         | agree      | both differ                    | another      |
 * | 4 | agree         | agree      | the first differs, or unclear  | cannot_tell  |
 * | 5 | agree         | agree      | any other                      | same         |
 * | 6 | agree         | differ, or one not given | agree as a whole | same         |
 * | 7 | agree         | differ, or one not given | both differ      | another      |
 * | 8 | agree         | differ, or one not given | any other        | cannot_tell  |
 * | 9 | one not given | one not given | any                         | cannot_tell  |
 * | 10 | one not given | differ    | agree                          | cannot_tell  |
 * | 11 | one not given | differ    | any other                      | another      |
 * | 12 | one not given | agree     | one or both not given          | same         |
 * | 13 | one not given | agree     | the first differs, or both     | another      |
 * | 14 | one not given | agree     | agree closely                  | same         |
 * | 15 | one not given | agree     | any other                      | cannot_tell  |
 *
 * Dates differ only where no reading of one equals a reading of the other (`03/04/1980` has two). Names agree as a whole
 * where first and last are compared, each with its like; they agree closely without a short form, a first name against a
 * middle name, or a first name or suffix that only one side gives. Two person codes after one id make the ids agree
 * with only an equal birth date. Differing middle names count but in row 5. Symmetric.
 */
export function comparePatients(one: ComparedPatient, other: ComparedPatient): PatientComparison {
  const dates = compareBirthDates(one.dob, other.dob);
  const ids = compareMemberIds(one.subscriber_id, other.subscriber_id);
  const names = compareNames(parsePersonName(one.name), parsePersonName(other.name));
  const fields = differing(dates, ids, names);
  const another = { kind: 'another', fields } as const;
  const cannotTell = { kind: 'cannot_tell', fields } as const;
  const same = {
    kind: 'same',
    byBirthDate: dates === 'agree',
    middleNamesDiffer: names.middlesDiffer,
  } as const;
  const { kind } = names;
  if (names.suffixesDiffer || dates === 'differ') return another;
  if (dates === 'agree') {
    if (kind === 'both_differ') return another;
    if (isAgreed(ids)) return kind === 'first_differs' || kind === 'unclear' ? cannotTell : same;
    return kind === 'agree' && names.isWhole && !names.middlesDiffer ? same : cannotTell;
  }
  if (ids === 'not_given') return cannotTell;
  if (ids === 'differ') return kind === 'agree' ? cannotTell : another;
  if (kind === 'first_differs' || kind === 'both_differ') return another;
  const agreeClosely = kind === 'agree' && !names.isLoose && !names.middlesDiffer;
  return ids === 'agree' && (agreeClosely || kind === 'not_given') ? same : cannotTell;
}

function isAgreed(ids: IdComparison): boolean {
  return ids === 'agree' || ids === 'agree_but_for_person_code';
}

function compareBirthDates(
  one: string | null | undefined,
  other: string | null | undefined,
): 'agree' | 'differ' | 'not_given' {
  const readings = birthDateReadings(one);
  const others = birthDateReadings(other);
  if (readings.length === 0 || others.length === 0) return 'not_given';
  return readings.some((reading) => others.some((another) => isSameReading(reading, another)))
    ? 'agree'
    : 'differ';
}

/** The parts that differ, the birth date first; where none does, those that do not prove anything. */
function differing(
  dates: 'agree' | 'differ' | 'not_given',
  ids: IdComparison,
  { kind, suffixesDiffer, middlesDiffer }: NameComparison,
): PatientField[] {
  const isNameOdd = suffixesDiffer || middlesDiffer || (kind !== 'agree' && kind !== 'not_given');
  const found: PatientField[] = [
    ...(dates === 'differ' ? ['dob' as const] : []),
    ...(isNameOdd ? ['name' as const] : []),
    ...(ids === 'differ' ? ['subscriber_id' as const] : []),
  ];
  if (found.length > 0) return found;
  const notGiven: PatientField[] = [
    ...(dates === 'not_given' ? ['dob' as const] : []),
    ...(ids === 'not_given' ? ['subscriber_id' as const] : []),
  ];
  return notGiven.length > 0 ? notGiven : ['name'];
}

/** Which parts of a patient are given: what is absent, blank or a placeholder is not. */
export function givenFields({ subscriber_id: id, dob, name }: ComparedPatient): readonly PatientField[] {
  return [
    ...(compareMemberIds(id, id) === 'not_given' ? [] : (['subscriber_id'] as const)),
    ...(dob && birthDateReadings(dob).length > 0 ? (['dob'] as const) : []),
    ...(parsePersonName(name) === null ? [] : (['name'] as const)),
  ];
}
