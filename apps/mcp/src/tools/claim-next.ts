import { list, type Schemas } from '@insurance-verification/schema';
import { AgentChannel } from './agent-channel.ts';
import { HeldItem, heldItem } from './held-item.ts';
import { strictObject } from './strict-object.ts';
import { tool } from './tool.ts';

export const claimNext = (schemas: Schemas) => {
  const { payers, wait_seconds } = schemas.ClaimWork.shape;
  return tool({
    name: 'claim_next',
    title: 'Take the next verification to work on',
    description:
      'Leases one waiting request to you. Ask the payer over the channel it names, then call submit_result, or fail when the channel cannot find out. ' +
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
    run: async ({ book, client, presence }, input, gone) => {
      const lease = await book.claim(presence, async () => {
        // The service gives nothing to a call that ends.
        const { items } = await client.work.claim({ ...input, max: 1 }, { signal: gone });
        return items[0];
      });
      return { item: lease?.item ? heldItem(lease.item, lease.item.request, lease.expiresAt) : null };
    },
  });
};
