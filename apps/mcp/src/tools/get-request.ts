import { RequestRef } from '@insurance-verification/schema';
import * as z from 'zod';
import { lossOf } from '../leases/renew-lease.ts';
import { heldItem, shownRequest } from './held-item.ts';
import { strictObject } from './strict-object.ts';
import { tool } from './tool.ts';

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
    // Always the service's word: what was erased meanwhile is gone here too.
    run: async ({ book, client }, { request_id }) => {
      const request = await client.requests.get({ request_id }).catch((err: unknown) => {
        book.noteLoss(request_id, lossOf(err));
        throw err;
      });
      const lease = book.find(request_id);
      return lease?.item ? heldItem(lease.item, request, lease.expiresAt) : shownRequest(request);
    },
  });
