import type { ComparedValue, FailedTest, HeldReason } from '@insurance-verification/schema';
import type { Mismatch } from '../decide-disposition.ts';

interface Failing {
  readonly reason: HeldReason;
  readonly mismatches: readonly Mismatch[];
  /** Whether there is a request to compare with, and whether it has a result. */
  readonly hasRequest: boolean;
  readonly hasResult: boolean;
}

/** The tests that a held output does not pass, first the one that held it. */
export function failedTests({ reason, mismatches, hasRequest, hasResult }: Failing): FailedTest[] {
  const own: readonly FailedTest[] = [
    ...(reason === 'untrusted' ? [fail('sender', 'no key of a verifier came with it')] : []),
    ...(reason === 'agent_result'
      ? [fail('sender', 'an agent found it, and the route of its payer has a person look first')]
      : []),
    ...(reason === 'unmatched' ? [fail('request', 'it names no request that the service has')] : []),
  ];
  const standing = hasRequest && hasResult ? [fail('first_result', 'the request has a result already')] : [];
  const tests = mismatches.map(({ test, coverage, sentence }) => ({ test, coverage, sentence }));
  return [...own, ...tests, ...standing];
}

const fail = (test: FailedTest['test'], sentence: string): FailedTest => ({ test, coverage: null, sentence });

/** Why an output is held, in one sentence, without the values. */
export function sentenceOf(
  reason: HeldReason,
  tests: readonly FailedTest[],
  values: readonly ComparedValue[],
): string {
  const faults = tests.filter(({ test }) => test !== 'first_result').map(({ sentence }) => sentence);
  const changed = values
    .filter(({ standing_difference: difference }) => difference !== 'none')
    .map(({ name }) => name.toLowerCase());
  const hasResult = tests.some(({ test }) => test === 'first_result');
  const result = hasResult ? [`the request has a result already, and ${differing(changed)}`] : [];
  const all = [...faults, ...result];
  return `Held as ${AS[reason]}: ${all.length === 0 ? 'nothing differs any more' : listed(all)}.`;
}

const AS: Readonly<Record<HeldReason, string>> = {
  untrusted: 'untrusted',
  unmatched: 'unmatched',
  input_mismatch: 'a mismatch',
  superseding: 'a second result',
  agent_result: 'an agent’s result',
};

/** Of more names than these a sentence is read by nobody; the table below it has them. */
const NAMES_MAX = 5;

function differing(names: readonly string[]): string {
  if (names.length === 0) return 'this one says the same';
  return `this one differs in ${names.length > NAMES_MAX ? `${names.length} values` : `the ${listed(names)}`}`;
}

function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
