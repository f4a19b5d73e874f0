import {
  list,
  RenewedLease,
  ReleasedWork,
  ReleaseWork,
  RequestRef,
  type Schemas,
} from '@insurance-verification/schema';
import { OPERATIONS } from '@insurance-verification/schema/contract';
import * as z from 'zod';
import { nextRenewal } from '../leases/lease.ts';
import { HeldItem, heldItem, shownRequest } from './held-item.ts';
import { strictObject } from './tool-schema.ts';
import { tool } from './tool.ts';

/** The agents' channels: a person's result must not come from an agent, nor an agent's from a person. */
export const AgentChannel = z
  .enum(['agent_web_portal', 'agent_phone_call'])
  .meta({ description: 'How an agent asks a payer.' });

export const claimNext = (schemas: Schemas) => {
  const { payers, wait_seconds } = schemas.ClaimWork.shape;
  return tool({
    name: 'claim_next',
    title: 'Take the next verification to work on',
    description:
      'Leases one waiting request to you. Ask the payer over the channel it names, then call submit_result, or fail when the channel cannot answer. ' +
      'The lease is renewed for you until then, as long as you are connected. `item` is null when there is nothing to do.',
    annotations: { destructiveHint: false, openWorldHint: false },
    input: strictObject({
      channels: list(AgentChannel)
        .min(1)
        .default([...AgentChannel.options])
        .meta({ description: 'The channels you can work; both when left out.' }),
      payers,
      wait_seconds,
    }),
    output: {
      item: HeldItem(schemas).nullable().meta({ description: 'Yours to work on; null when there is none.' }),
    },
    run: async (context, input) => {
      // The operation leases nothing to a client that is gone.
      const lease = await context.book.claim(context, async () => {
        const { items } = await context.call('work.claim', { ...input, max: 1 });
        return items[0];
      });
      return { item: lease?.item ? heldItem(lease.item, lease.item.request, lease.expiresAt) : null };
    },
  });
};

/** An item has one schema, that of `claim_next`. */
const OfItem = z.looseObject({}).meta({ description: "As in claim_next's item." });

export const getRequest = () =>
  tool({
    name: 'get_request',
    title: 'Read a request again',
    description:
      'What you leased, as claim_next answered it. Of any other request only `request` and `from_the_request`, and only if your key may read it.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: strictObject(RequestRef.shape),
    output: { request: OfItem, from_the_request: OfItem },
    // Read again every time: what was erased meanwhile is gone here too.
    run: async ({ book, call }, { request_id }) => {
      const request = await call('requests.get', { request_id }).catch((err: unknown) => {
        book.noteLoss(request_id, err);
        throw err;
      });
      const lease = book.find(request_id);
      return lease?.item ? heldItem(lease.item, request, lease.expiresAt) : shownRequest(request);
    },
  });

export const heartbeat = () =>
  tool({
    name: 'heartbeat',
    title: OPERATIONS['work.heartbeat'].summary,
    description:
      'Renews your lease now. That is done for you for an hour after your last call, over HTTP without a session for ten minutes; call it when you work for longer without another call. ' +
      '`lease_lost` means that someone else may have the request: stop.',
    annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    input: strictObject(RequestRef.shape),
    output: RenewedLease.shape,
    run: ({ book, call, presence }, { request_id }) =>
      book.with(request_id, presence, async (lease, token) => {
        const renewed = await call('work.heartbeat', token);
        lease.expiresAt = renewed.lease_expires_at;
        lease.renewAt = nextRenewal(renewed.lease_expires_at, Date.now());
        return renewed;
      }),
  });

export const release = () =>
  tool({
    name: 'release',
    title: OPERATIONS['work.release'].summary,
    description: 'It waits in the same channel again, for someone else. Costs the request nothing.',
    annotations: { destructiveHint: false, openWorldHint: false },
    input: strictObject({ ...RequestRef.shape, reason: ReleaseWork.shape.reason }),
    output: ReleasedWork.shape,
    run: ({ book, call, presence }, { request_id, reason }) =>
      book.with(request_id, presence, async (lease, token) => {
        const released = await call('work.release', { ...token, reason });
        book.drop(lease);
        return released;
      }),
  });
