import { EraseRequest, Erasure, RequestRef } from '@insurance-verification/schema';
import { askErasure } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleAsked, exampleErasure } from '../../examples/retention.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** Asks for the erasure of a request, which a person then confirms. */
export const eraseRequest = () =>
  mutation({
    meta: {
      operation: 'requests.erase',
      openapi: {
        summary: 'Ask for the erasure of a request',
        description:
          'Asks that the data of one request is erased now, finished or not: as at the end of a retention, of everything that the service has of it. A person confirms it within 7 days, another one than who asked (`erasures.confirm`); until then nothing is erased. Asked for again it stays as it is, also when it is done.',
        tags: ['Privacy'],
      },
      changes: ['request'],
      problems: ['not_found', 'legal_hold', 'request_erased'],
      body: EraseRequest,
      example: { reason: 'wrong_patient' },
      answers: { asked: exampleAsked, done: exampleErasure },
    },
    input: z.object({ ...RequestRef.shape, ...EraseRequest.shape }),
    output: Erasure,
    handler: async ({ ctx, input: { request_id: requestId, reason } }) => {
      const asked = await askErasure(ctx.app.store, { caller: ctx.caller, requestId, reason });
      if (asked.kind !== 'not_found') ctx.call.concerns(requestId);
      return asked.kind === 'asked' ? asked.erasure : refuse(asked);
    },
  });
