import type { AskedMember, ComparedValue } from '@insurance-verification/schema';
import { COMPARED_FIELDS, type ComparedField } from './compared-fields.ts';

/** The member of a request's input that a path of a result repeats, as the API names it. */
export type MemberOf<Path> = Path extends `/request/input/patient_info/${infer Member}`
  ? Member
  : Path extends `/request/input/${infer Block}/${infer Member}`
    ? `${Block}.${Member}`
    : Path extends `/request/input/${infer Member}`
      ? Member
      : never;

/**
 * The members that an output says otherwise than they were asked, each once: in what it repeats of the request, or of
 * the patient and payer of a coverage. One that is written otherwise is none of them.
 */
export function differingMembers(values: readonly ComparedValue[]): AskedMember[] {
  const paths = values.flatMap(({ field, asked_difference: difference }) =>
    difference === 'none' || difference === 'form' ? [] : [askedPathOf(field)],
  );
  return [...new Set(paths)].filter((path) => path.startsWith(INPUT)).map(memberOf);
}

const INPUT = '/request/input/';

function askedPathOf(field: string): string {
  const fields: Readonly<Record<string, ComparedField>> = COMPARED_FIELDS;
  return fields[field.replace(/^\/insurance_data\/\d+/, '/insurance_data/*')]?.[2] ?? field;
}

const memberOf = (path: string) =>
  path
    .slice(INPUT.length)
    .replace(/^patient_info\//, '')
    .replace('/', '.') as AskedMember;
