import type { Rejection } from '../answer/eligibility-answer.ts';

/** More distinct codes than any answer in the field has. */
export const CODE_COUNT_MAX = 20;

/** The distinct AAA03 of rejections. They go into logs, so anything not shaped like a code is dropped. */
export function payerCodesOf(rejections: readonly Rejection[]): string[] {
  if (rejections.length === 0) return [];
  const codes = new Set<string>();
  for (const { code } of rejections) {
    if (codes.size === CODE_COUNT_MAX) break;
    codes.add(/^[A-Z0-9]{1,3}$/i.test(code) ? `AAA ${code}` : 'AAA ?');
  }
  return [...codes];
}
