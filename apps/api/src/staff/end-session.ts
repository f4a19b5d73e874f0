import { EndedSession, SessionRef } from '@insurance-verification/schema';
import { endSession as endStoredSession } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';

/** Ends a session in every process at once. Idempotent. */
export const endSession = () =>
  mutation({
    meta: {
      operation: 'sessions.end',
      openapi: {
        summary: 'End a session',
        description:
          "Ends one of the caller's own sessions, with `admin` anyone's: at once, in every process. A session that has ended already stays so.",
        tags: ['Access'],
      },
      changes: ['access', 'session'],
      ofCaller: true,
      problems: ['not_found'],
      answers: { ended: { session_id: EXAMPLE_IDS.session, status: 'ended' } },
    },
    input: SessionRef,
    output: EndedSession,
    handler: async ({ ctx: { app, caller }, input: { session_id: sessionId } }) => {
      const everyones = caller.scopes.includes('admin');
      const ended = await endStoredSession(app.store, { caller, everyones, sessionId });
      if (ended.kind !== 'ended') return refuse(ended);
      return { session_id: sessionId, status: 'ended' as const };
    },
  });
