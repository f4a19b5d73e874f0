import { LegalHold, PlaceHold } from '@insurance-verification/schema';
import { placeHold as placeStoredHold } from '@insurance-verification/store';
import { EXAMPLE_IDS } from '../../examples/ids.ts';
import { exampleHold } from '../../examples/retention.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Places a legal hold on a request or an account. */
export const placeHold = () =>
  mutation({
    meta: {
      operation: 'holds.place',
      openapi: {
        summary: 'Place a legal hold',
        description:
          'From then on nothing of the request, or of any request of the account, is erased: not at the end of its retention, not because somebody asks for it (409 `legal_hold`, which names the hold), and what supports it not when it is old. It is in force until it is ended.',
        tags: ['Privacy'],
      },
      changes: ['request'],
      problems: ['not_found', 'request_erased'],
      body: PlaceHold,
      example: { account_id: EXAMPLE_IDS.account, reason: 'Doe v. Main Street Dental, asked by counsel' },
      answers: { placed: exampleHold },
    },
    input: PlaceHold,
    output: LegalHold,
    handler: async ({ ctx, input: { request_id: requestId, account_id: accountId, reason } }) => {
      const covers = coveredBy(requestId, accountId);
      const placed = await placeStoredHold(ctx.app.store, { caller: ctx.caller, covers, reason });
      if (placed.kind !== 'placed') return refuse(placed);
      if (placed.hold.request_id !== null) ctx.call.concerns(placed.hold.request_id);
      return placed.hold;
    },
  });

/** @throws {ValidationFailedError} for both, or none. */
function coveredBy(requestId: string | undefined, accountId: string | undefined) {
  if (requestId !== undefined && accountId === undefined) return { requestId };
  if (accountId !== undefined && requestId === undefined) return { accountId };
  const [msg, type] =
    requestId === undefined
      ? (['Field required, or account_id', 'missing'] as const)
      : (['Value should be absent where request_id is given', 'value_error'] as const);
  throw new ValidationFailedError([
    { loc: ['body', requestId === undefined ? 'request_id' : 'account_id'], msg, type },
  ]);
}
