import { BreakGlass, EmergencyAccess, SessionRef } from '@insurance-verification/schema';
import { breakGlass as breakStoredGlass } from '@insurance-verification/store';
import * as z from 'zod';
import { EXAMPLE_IDS } from '../examples/ids.ts';
import { ProblemError } from '../procedure/problem/problem.ts';
import { refuse } from '../procedure/problem/refuse.ts';
import { mutation } from '../procedure/trpc.ts';

/** Gives an operator's session emergency access for an hour. Reported in the log, the metrics and the audit. */
export const breakGlass = () =>
  mutation({
    meta: {
      operation: 'sessions.breakGlass',
      openapi: {
        summary: 'Break the glass',
        description:
          "Gives an operator's session emergency access for an hour: the operator may then do what a verifier may, on any account. A person breaks it for the session that asks, signed in within 15 minutes in any way, and while the identity provider is down with the session that they have; a key for any operator's. The reason is kept; the log, the metrics and the audit tell of it.",
        tags: ['Access'],
      },
      changes: ['access'],
      problems: ['not_found'],
      body: BreakGlass,
      example: { reason: 'The verifiers are out; a patient waits at the desk.' },
      answers: {
        broken: {
          session_id: EXAMPLE_IDS.session,
          begun_at: '2026-11-20T10:05:00.000Z',
          ends_at: '2026-11-20T11:05:00.000Z',
        },
      },
    },
    input: z.object({ ...SessionRef.shape, ...BreakGlass.shape }),
    output: EmergencyAccess,
    handler: async ({ ctx: { app, caller }, input: { session_id: sessionId, reason } }) => {
      // A person's own session alone: nobody opens one that somebody else left behind.
      if (caller.session && caller.session.sessionId !== sessionId) return refuse({ kind: 'not_found' });
      const isFresh = caller.session?.isFresh ?? null;
      if (isFresh === false && (await app.canSignInAgain())) throw new ProblemError('fresh_sign_in_required');
      const broken = await breakStoredGlass(app.store, { caller, sessionId, reason, isFresh });
      if (broken.kind !== 'broken') return refuse(broken);
      app.metrics.emergencies.inc();
      const fields = { key_id: caller.keyId, session_id: sessionId, fresh_sign_in: isFresh };
      app.log.warn(fields, 'emergency access began, for an hour');
      return broken.access;
    },
  });
