import { ConflictError, InsuranceVerificationError, NotFoundError } from '@insurance-verification/client';
import { PROBLEMS, type ProblemCode, type WorkItem } from '@insurance-verification/schema';
import type { Desk } from './desk.ts';
import { askChoice } from './prompts/ask-choice.ts';

/** Problems after which a request can never be claimed again. */
const GONE: readonly (ProblemCode | null)[] = ['request_finished', 'not_found'];

/**
 * Claims the same request under a new lease. When that fails, the person sees their answers and may retry or give up.
 * @returns null when they give up, or the request can no longer be worked on.
 */
export async function takeAgain(
  { terminal, queue, stopped }: Desk,
  claim: () => Promise<WorkItem>,
  answers: readonly string[],
): Promise<WorkItem | null> {
  const asking = { signal: stopped, footer: () => `not leased · ${queue.waitingCount() ?? '?'} waiting` };
  for (;;) {
    try {
      const item = await claim();
      terminal.say(
        `The lease had ended. The request is leased to you again, for ${item.channel}; your answers are kept.`,
      );
      return item;
    } catch (err) {
      if (!(err instanceof InsuranceVerificationError)) throw err;
      const code = err instanceof ConflictError || err instanceof NotFoundError ? err.problemCode : null;
      terminal.say(`The lease was lost. ${code === null ? `${err.message}.` : PROBLEMS[code].sentence}`);
      for (const line of answers) terminal.say(line);
      if (GONE.includes(code)) return null;
    }
    const step = await askChoice({ message: 'Your answers are kept while this runs.', choices }, asking);
    if (step !== 'again') return null;
  }
}

const choices = [
  { name: 'Try to lease it again', value: 'again' as const },
  { name: 'Give up', value: 'stop' as const },
];
