import type { Fault } from '../field/text-and-number.ts';

/** A gender as the header `Gender` and the member of a batch's row give it: DMG03 of an inquiry over X12. */
type JudgedGender = { readonly gender: 'F' | 'M' | 'U' } | { readonly malformed: Fault };

const NO_GENDER: Fault = { msg: 'Value should be F, M or U', type: 'literal_error' };

/** Judges a gender: `F`, `M` or `U`, in capitals or not. */
export function judgeGender(text: string): JudgedGender {
  const gender = text.trim().toUpperCase();
  return gender === 'F' || gender === 'M' || gender === 'U' ? { gender } : { malformed: NO_GENDER };
}
