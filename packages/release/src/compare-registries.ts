import type { ErrorReasonFact, ProblemFact } from '@insurance-verification/schema';
import type { Breach } from './rules.ts';

/** The closed lists that programs branch on. */
export interface Registries {
  readonly problems: Readonly<Record<string, Pick<ProblemFact, 'status' | 'trpcCode' | 'retryable'>>>;
  readonly reasons: Readonly<Record<string, Omit<ErrorReasonFact, 'sentence'>>>;
}

/** Every code of an error or a reason that is gone, or means something else. Sentences may change. */
export function compareRegistries(before: Registries, now: Registries): Breach[] {
  return [
    ...compare('problem', before.problems, now.problems),
    ...compare('reason', before.reasons, now.reasons),
  ];
}

function compare(
  kind: 'problem' | 'reason',
  before: Readonly<Record<string, object>>,
  now: Readonly<Record<string, object>>,
): Breach[] {
  return Object.entries(before).flatMap(([code, facts]): Breach[] => {
    const same = now[code] as Readonly<Record<string, unknown>> | undefined;
    const path = `${kind} ${code}`;
    if (!same) return [{ rule: `${kind}-removed`, path, what: 'it is gone or renamed' }];
    return Object.entries(facts).flatMap(([member, value]) =>
      same[member] === value
        ? []
        : [
            {
              rule: `${kind}-changed` as const,
              path,
              what: `${member} ${String(value)}, now ${String(same[member])}`,
            },
          ],
    );
  });
}
