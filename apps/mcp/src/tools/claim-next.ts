import { list } from '@insurance-verification/schema';
import * as z from 'zod';
import { AgentChannel } from './agent-channel.ts';
import { answer } from './answer.ts';
import type { ToolContext } from './tool-context.ts';

export function addClaimNext({ server, client, leases, schemas }: ToolContext): void {
  const { payers, wait_seconds } = schemas.ClaimWork.shape;
  server.registerTool(
    'claim_next',
    {
      title: 'Take the next verification to work on',
      description:
        'Leases one waiting request to you. Ask the payer over the channel it names, then call submit_result, or fail when the channel cannot find out. ' +
        'Until then call heartbeat well before lease_expires_at. `item` is null when there is nothing to do.',
      inputSchema: z.object({
        channels: list(AgentChannel)
          .min(1)
          .default([...AgentChannel.options])
          .meta({ description: 'The channels you can work; both when left out.' }),
        payers,
        wait_seconds,
      }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (input) =>
      answer(async () => {
        const { items } = await client.work.claim({ ...input, max: 1 });
        const [item = null] = items;
        if (item) leases.note(item);
        return { item };
      }),
  );
}
