import { ReleaseWork, RequestRef } from '@insurance-verification/schema';
import * as z from 'zod';
import { answer } from './answer.ts';
import type { ToolContext } from './tool-context.ts';

export function addRelease({ server, client, leases }: ToolContext): void {
  server.registerTool(
    'release',
    {
      title: 'Give a request back untried',
      description: 'It waits in the same channel again, for someone else. Costs the request nothing.',
      inputSchema: z.object({ ...RequestRef.shape, ...ReleaseWork.shape }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (input) =>
      answer(async () => {
        const released = await client.work.release(input);
        leases.drop(input.request_id);
        return released;
      }),
  );
}
