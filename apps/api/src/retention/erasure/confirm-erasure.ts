import { ConfirmErasure, Erasure } from '@insurance-verification/schema';
import { confirmErasure as confirmStoredErasure } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleErasure } from '../../examples/retention.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** A second person confirms an erasure, and it is done. */
export const confirmErasure = () =>
  mutation({
    meta: {
      operation: 'erasures.confirm',
      openapi: {
        summary: 'Confirm an erasure',
        description:
          'Erases the request that was asked for, at once, and answers the certificate, which is in the audit as well: what was erased, who asked and who confirmed, and which copies are still there. A person confirms, another one than who asked, with the last four characters of the member id; where one person alone is active on the installation that one may, and the certificate says so. Confirmed again it answers the same. After five wrong endings it has to be asked for again.',
        tags: ['Privacy'],
      },
      changes: ['request', 'work', 'held', 'delivery'],
      problems: ['not_found', 'legal_hold', 'another_person_required', 'request_erased'],
      body: ConfirmErasure,
      example: { member_id_ending: '7890' },
      answers: { erased: exampleErasure },
    },
    input: z.object({
      erasure_id: z.string().meta({ description: 'The id of the erasure.' }),
      ...ConfirmErasure.shape,
    }),
    output: Erasure,
    handler: async ({ ctx, input: { erasure_id: erasureId, member_id_ending: memberIdEnding } }) => {
      const { store, config, metrics } = ctx.app;
      const { backupDays } = config;
      const confirmation = { caller: ctx.caller, erasureId, memberIdEnding, backupDays };
      const confirmed = await confirmStoredErasure(store, confirmation);
      if (confirmed.kind === 'wrong_ending')
        throw new ValidationFailedError([
          {
            loc: ['body', 'member_id_ending'],
            msg: 'Value should be the ending of its member id; after five wrong ones the erasure has to be asked for again',
            type: 'value_error',
          },
        ]);
      if (confirmed.kind !== 'confirmed') return refuse(confirmed);
      if (confirmed.isNew) metrics.requestsErased.inc();
      ctx.call.concerns(confirmed.erasure.request_id);
      return confirmed.erasure;
    },
  });
