import { AccountRef, AccountRetention, ConfirmRetention } from '@insurance-verification/schema';
import { confirmAccountRetention as confirmStoredRetention } from '@insurance-verification/store';
import * as z from 'zod';
import { exampleRetention } from '../../examples/access.ts';
import { ValidationFailedError } from '../../procedure/problem/problem.ts';
import { refuse } from '../../procedure/problem/refuse.ts';
import { mutation } from '../../procedure/trpc.ts';

/** A second person confirms a shorter retention, which then begins within a day. */
export const confirmAccountRetention = () =>
  mutation({
    meta: {
      operation: 'accounts.confirmRetention',
      openapi: {
        summary: 'Confirm a shorter retention',
        description:
          "Makes an account's retention as short as was asked for (`accounts.setRetention`), for the days that the body names and no others. A person confirms, another one than who asked, whom that one neither added nor signed in by a link; where one person only is active on the installation that one may, and the audit says so. It erases nothing for a day, in which it can be taken back. Confirmed again it answers the same.",
        tags: ['Access'],
      },
      changes: ['access'],
      problems: ['not_found', 'another_person_required'],
      body: ConfirmRetention,
      example: { retention_days: 30 },
      answers: { shortened: exampleRetention },
    },
    input: z.object({ ...AccountRef.shape, ...ConfirmRetention.shape }),
    output: AccountRetention,
    handler: async ({ ctx, input: { account_id: accountId, retention_days: days } }) => {
      const confirmed = await confirmStoredRetention(ctx.app.store, { caller: ctx.caller, accountId, days });
      if (confirmed.kind === 'not_asked')
        throw new ValidationFailedError([
          {
            loc: ['body', 'retention_days'],
            msg: 'Value should be the days that are asked for; others were, or these lapsed or were taken back',
            type: 'value_error',
          },
        ]);
      return confirmed.kind === 'found' ? confirmed.retention : refuse(confirmed);
    },
  });
