import { FailWork, RequestRef } from '@insurance-verification/schema';
import * as z from 'zod';
import { answer } from './answer.ts';
import type { ToolContext } from './tool-context.ts';

export function addFail({ server, client, leases }: ToolContext): void {
  server.registerTool(
    'fail',
    {
      title: 'Say that this channel cannot find out',
      description:
        'Hands the request on to its next channel, or ends it when there is none. `note` is for the next verifier. ' +
        '`final` ends it at once: only when no other way to the payer can help.',
      inputSchema: z.object({ ...RequestRef.shape, ...FailWork.shape }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
    },
    (input) =>
      answer(async () => {
        const failed = await client.work.fail(input);
        leases.drop(input.request_id);
        return failed;
      }),
  );
}
