import { partialDeepStrictEqual } from 'node:assert';
import type { RequestModel } from '@insurance-verification/schema';
import { anOutput } from '@insurance-verification/testing/an-output';
import type { Ground } from '../fault-row.ts';
import { answerOf } from '../ground/ask.ts';
import type { Receiver } from '../ground/start-receiver.ts';

/** Holds that processes of both versions say the same of these finished requests, and that their webhooks do. */
export async function compareAnswers(
  { tally }: Ground,
  { urls, ids, receiver }: { urls: readonly string[]; ids: readonly string[]; receiver: Receiver },
): Promise<void> {
  const answersOf = (path: string) =>
    Promise.all(urls.map((url) => answerOf<RequestModel>('GET', `${url}${path}`)));
  for (const id of ids) {
    const [one, other] = await answersOf(`/requests/${id}`);
    tally.holds(answersAlike(one, other), `two versions read ${id} differently`);
    for (const { body } of receiver.arrivalsOf(id))
      tally.holds(
        answersAlike(JSON.parse(body), one && anOutput(one)),
        `the webhook of ${id} tells otherwise`,
      );
  }
  for (const path of ['/requests?limit=50', '/deliveries?limit=50', '/work/stats']) await answersOf(path);
}

/** Whether one of them has all that the other has: a later version may say more. */
function answersAlike(one: unknown, other: unknown): boolean {
  return hasAll(one, other) || hasAll(other, one);
}

function hasAll(whole: unknown, part: unknown): boolean {
  try {
    partialDeepStrictEqual(whole, part);
    return true;
  } catch {
    return false;
  }
}
