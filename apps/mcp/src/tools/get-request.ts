import { RequestRef } from '@insurance-verification/schema';
import { answer } from './answer.ts';
import type { ToolContext } from './tool-context.ts';

export function addGetRequest({ server, client, leases }: ToolContext): void {
  server.registerTool(
    'get_request',
    {
      title: 'Read a request again',
      description:
        'What you leased, as claim_next answered it. Any other request only if your key may read it.',
      inputSchema: RequestRef,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ request_id }) =>
      answer(async () => leases.find(request_id) ?? { request: await client.requests.get({ request_id }) }),
  );
}
