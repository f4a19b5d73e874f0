import { HeartbeatWork, RequestRef } from '@insurance-verification/schema';
import * as z from 'zod';
import { answer } from './answer.ts';
import type { ToolContext } from './tool-context.ts';

export function addHeartbeat({ server, client, leases }: ToolContext): void {
  server.registerTool(
    'heartbeat',
    {
      title: 'Say that you are still at it',
      description: 'Renews your lease. `lease_lost` means that someone else may have the request: stop.',
      inputSchema: z.object({ ...RequestRef.shape, ...HeartbeatWork.shape }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    (input) =>
      answer(async () => {
        const renewed = await client.work.heartbeat(input);
        leases.renew(input.request_id, renewed.lease_expires_at);
        return renewed;
      }),
  );
}
