import { ReleasedWork, ReleaseWork, RequestRef } from '@insurance-verification/schema';
import { strictObject } from './strict-object.ts';
import { tool } from './tool.ts';
import { withLease } from './with-lease.ts';

export const release = () =>
  tool({
    name: 'release',
    title: 'Give a request back untried',
    description: 'It waits in the same channel again, for someone else. Costs the request nothing.',
    annotations: { destructiveHint: false, openWorldHint: false },
    input: strictObject({ ...RequestRef.shape, reason: ReleaseWork.shape.reason }),
    output: ReleasedWork.shape,
    run: (context, { request_id, reason }) =>
      withLease(context, request_id, async (lease, token) => {
        const released = await context.client.work.release({ ...token, reason });
        context.book.drop(lease);
        return released;
      }),
  });
