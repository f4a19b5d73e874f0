import { breakGlass, endSession, findOwnAccounts, listSessions } from '@insurance-verification/store';
import { readCursor } from '../procedure/cursor.ts';
import { ProblemError } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { toMyself } from './staff.ts';

/** Sessions of people, and emergency access. */
export const sessions: Handlers<'sessions'> = {
  me: async ({ ctx }) => toMyself(ctx.caller),

  list: async ({ ctx: { app, caller }, input: { limit, cursor } }) =>
    listSessions(app.store, {
      caller,
      everyones: caller.scopes.includes('admin'),
      limit,
      cursor: readCursor('ses', cursor),
    }),

  end: async ({ ctx: { app, caller }, input: { session_id: sessionId } }) => {
    const everyones = caller.scopes.includes('admin');
    const ended = await endSession(app.store, { caller, everyones, sessionId });
    if (ended.kind !== 'ended') return refuse(ended);
    return { session_id: sessionId, status: 'ended' as const };
  },

  breakGlass: async ({ ctx: { app, caller }, input: { session_id: sessionId, reason } }) => {
    // Only the person's own session: a session that another person left open is not continued.
    if (caller.session && caller.session.sessionId !== sessionId) return refuse({ kind: 'not_found' });
    const isFresh = caller.session?.isFresh ?? null;
    if (isFresh === false && (await app.canSignInAgain())) throw new ProblemError('fresh_sign_in_required');
    const broken = await breakGlass(app.store, { caller, sessionId, reason, isFresh });
    if (broken.kind !== 'broken') return refuse(broken);
    app.metrics.emergencies.inc();
    const fields = { key_id: caller.keyId, session_id: sessionId, fresh_sign_in: isFresh };
    app.log.warn(fields, 'emergency access began, for an hour');
    return broken.access;
  },

  accounts: async ({ ctx, input: { limit, cursor, name } }) =>
    findOwnAccounts(ctx.app.store, {
      caller: ctx.caller,
      limit,
      cursor: readCursor('acct', cursor),
      name,
    }),
};
