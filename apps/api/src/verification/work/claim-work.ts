import type { Schemas } from '@insurance-verification/schema';
import {
  type Caller,
  type ClaimedWork,
  claimWork as claimStoredWork,
  releaseWork,
} from '@insurance-verification/store';
import { exampleWorkItem } from '../../examples/work.ts';
import { stillAdmitted } from '../../procedure/admit.ts';
import type { App } from '../../procedure/context/app.ts';
import { mutation } from '../../procedure/trpc.ts';
import { toWorkItem } from './to-work-item.ts';
import { traceLease } from './trace-lease.ts';

/** Leases waiting requests to a verifier; with `wait_seconds` it is a long poll. */
export const claimWork = (schemas: Schemas) =>
  mutation({
    meta: {
      operation: 'work.claim',
      openapi: {
        summary: 'Lease the next requests to work on',
        description:
          'Leases the next requests that wait in one of the channels, so that only the caller works on them. With `wait_seconds` the call waits for work to come. An empty list says that there is nothing to do. A lease ends at `lease_expires_at` unless a heartbeat renews it.',
        tags: ['Work'],
      },
      changes: ['work'],
      example: { channels: ['manual_web_portal', 'manual_phone_call'], max: 1, wait_seconds: 20 },
      answers: { one: { items: [exampleWorkItem(schemas)] }, nothing_to_do: { items: [] } },
    },
    input: schemas.ClaimWork,
    output: schemas.WorkItemList,
    handler: async ({ ctx: { app, call, caller }, input }) => {
      const { payers, workLeaseSeconds: leaseSeconds } = app.config;
      const wanted = input.payers && new Set(input.payers.map((name) => payers.idOf(name)));
      const claim = {
        caller,
        channels: input.channels,
        routes: payers.routes.filter(({ payerId }) => wanted?.has(payerId) ?? true),
        limit: input.max,
        leaseSeconds,
      };
      const works = await app.longPolls.waitFor({
        key: JSON.stringify([
          caller.mode,
          caller.verifyWithin,
          [...new Set(input.channels)].toSorted(),
          claim.routes.map(({ payerId }) => payerId),
        ]),
        milliseconds: input.wait_seconds * 1_000,
        signal: call.gone,
        look: async () => {
          const verifyWithin = (await stillAdmitted(call, 'work.claim'))?.verifyWithin;
          const { verifyWithin: _, ...unbounded } = caller;
          const bounded = { ...unbounded, ...(verifyWithin && { verifyWithin }) };
          return (await claimStoredWork(app.store, { ...claim, caller: bounded })).works;
        },
      });
      try {
        // The key may have been revoked during the look that leased these.
        if (works.length > 0) await stillAdmitted(call, 'work.claim');
      } catch (err) {
        await giveBack(app, caller, works);
        throw err;
      }
      // The client will never learn of these leases: others get the requests at once, not when the leases end.
      if (call.gone.aborted) await giveBack(app, caller, works);
      else for (const work of works) traceLease(app, work, { operation: 'work.claim', keyId: caller.keyId });
      return { items: works.flatMap((work) => toWorkItem(app, work) ?? []) };
    },
  });

async function giveBack({ store }: App, caller: Caller, works: readonly ClaimedWork[]): Promise<void> {
  for (const { requestId, leaseToken } of works) await releaseWork(store, { caller, requestId, leaseToken });
}
