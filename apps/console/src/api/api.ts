import type { AppRouter, RouterOutputs } from '@insurance-verification/client';
import { createTRPCClient, httpLink } from '@trpc/client';
import { actsFor } from './acts-for.ts';
import { askFreshSignIn, isAskedFor } from './fresh-sign-in.ts';
import { originSecret } from './origin-secret.ts';
import { isBackground } from './presence.ts';
import { noteServerTime } from './server-time.ts';
import { sessionCount } from './session.ts';

/** The output of each operation, by its name. */
export type Outputs = RouterOutputs;

/**
 * The tRPC client of the service's router at `/console/api`, for the signed-in person. The browser sends the session's
 * cookie by itself; the header `Origin-Secret` is sent with it.
 */
export const api = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: '/console/api',
      // What a page reads again by itself is no use of the session: it ends when nobody is there.
      headers: ({ op: { context } }) => ({
        'origin-secret': originSecret(),
        ...(isBackground() && { background: '1' }),
        ...(actsFor() !== null && { 'account-id': actsFor() ?? '' }),
        ...(typeof context['idempotencyKey'] === 'string' && {
          'idempotency-key': context['idempotencyKey'],
        }),
        ...(typeof context['serviceDate'] === 'string' && { 'service-date': context['serviceDate'] }),
        ...(typeof context['neededBy'] === 'string' && { 'needed-by': context['neededBy'] }),
      }),
      fetch: async (input, init) => {
        const count = sessionCount();
        const answer = await fetch(input, init as RequestInit);
        // Its session ended on the way, and the person has signed in again meanwhile: nothing was done yet.
        if (answer.status === 401 && sessionCount() !== count) return fetch(input, init as RequestInit);
        noteServerTime(answer.headers.get('date'));
        if (!(await isAskedFor(answer)) || !(await askFreshSignIn())) return answer;
        return fetch(input, init as RequestInit); // what was asked goes on
      },
    }),
  ],
});
