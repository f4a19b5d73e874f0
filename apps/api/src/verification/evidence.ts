import { listAttempts, listX12Exchanges } from '@insurance-verification/store';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { decodeAnswer, x12Of } from './api-channel/envelope.ts';

/** The attempts at a request, and its X12 exchanges. */
export const evidence: Pick<Handlers<'requests'>, 'attempts' | 'exchanges'> = {
  attempts: async ({ ctx, input: { request_id: requestId } }) => {
    const { caller } = ctx;
    const withInternals = caller.scopes.includes('operate') || caller.scopes.includes('verify');
    const listed = await listAttempts(ctx.app.store, { caller, requestId, withInternals });
    if (listed.kind !== 'found') return refuse(listed);
    ctx.call.concerns(requestId);
    return { items: listed.attempts };
  },

  exchanges: async ({ ctx, input: { request_id: requestId } }) => {
    const listed = await listX12Exchanges(ctx.app.store, { caller: ctx.caller, requestId });
    if (listed.kind !== 'found') return refuse(listed);
    ctx.call.concerns(requestId);
    const items = listed.exchanges.map(({ answer: bytes, ...exchange }) => {
      const answer = bytes && decodeAnswer(Buffer.from(bytes));
      return { ...exchange, answer: ctx.caller.acrossAccounts ? answer : answer && x12Of(answer) };
    });
    return { items };
  },
};
