import type { AppRouter, RouterOutputs } from '@insurance-verification/client';
import { createTRPCClient, httpLink } from '@trpc/client';
import { actsFor } from './acts-for.ts';
import { askFreshSignIn, isAskedFor } from './fresh-sign-in.ts';
import { originSecret } from './origin-secret.ts';
import { noteServerTime } from './server-time.ts';
import { isBackground, sessionCount } from './session.ts';

/** The output of each operation, by its name. */
export type Outputs = RouterOutputs;

/** What every call of a session has besides its cookie. */
export const sessionHeaders = (): Record<string, string> => ({
  'origin-secret': originSecret(),
  // A page's own repeated reads do not extend the session: it ends during an absence.
  ...(isBackground() && { background: '1' }),
  ...(actsFor() !== null && { 'account-id': actsFor() ?? '' }),
});

/**
 * The tRPC client of the service's router at `/console/api`, for the signed-in person. The browser sends the session's
 * cookie by itself; the header `Origin-Secret` is sent with it.
 */
export const api = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/console/api',
      headers: ({ op: { context } }) => ({
        ...sessionHeaders(),
        ...(typeof context['idempotencyKey'] === 'string' && {
          'idempotency-key': context['idempotencyKey'],
        }),
        ...(typeof context['serviceDate'] === 'string' && { 'service-date': context['serviceDate'] }),
        ...(typeof context['neededBy'] === 'string' && { 'needed-by': context['neededBy'] }),
        ...(typeof context['gender'] === 'string' && { gender: context['gender'] }),
      }),
      fetch: async (input, init) => {
        const count = sessionCount();
        const answer = await fetch(input, init as RequestInit);
        // Its session ended on the way, and the person has signed in again meanwhile: nothing was done yet.
        if (answer.status === 401 && sessionCount() !== count) return fetch(input, init as RequestInit);
        noteServerTime(answer.headers.get('date'));
        if (!(await isAskedFor(answer)) || !(await askFreshSignIn())) return answer;
        return fetch(input, init as RequestInit); // the call continues
      },
    }),
  ],
});

/** The most calls for one page of a list; after them the person asks for more. */
const CALL_COUNT_MAX = 10;

/**
 * Reads a page of a list with several calls where one answers fewer rows than asked: each call scans a bounded number
 * of rows, of which few may match.
 */
export async function readFullPage<
  Item,
  Answer extends { items: readonly Item[]; next_cursor: string | null },
>(
  limit: number,
  cursor: string | undefined,
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Answer>,
): Promise<Answer> {
  const first = await read({ limit, cursor });
  const items = [...first.items];
  let next = first.next_cursor;
  for (let count = 1; count < CALL_COUNT_MAX && items.length < limit && next !== null; count += 1) {
    const more = await read({ limit: limit - items.length, cursor: next });
    items.push(...more.items);
    next = more.next_cursor;
  }
  return { ...first, items, next_cursor: next };
}
