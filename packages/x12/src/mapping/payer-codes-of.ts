import type { Rejection } from '../answer/eligibility-answer.ts';

/** More different codes than one answer has in the field. */
export const CODE_COUNT_MAX = 20;

/** The AAA03 of rejections, each once. They go into logs, so what has not the form of a code is not repeated. */
export function payerCodesOf(rejections: readonly Rejection[]): string[] {
  const codes = new Set<string>();
  for (const { code } of rejections) {
    if (codes.size === CODE_COUNT_MAX) break;
    codes.add(/^[A-Z0-9]{1,3}$/i.test(code) ? `AAA ${code}` : 'AAA ?');
  }
  return [...codes];
}
