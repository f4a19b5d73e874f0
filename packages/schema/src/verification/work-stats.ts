import * as z from 'zod';
import { ErrorReason } from '../error-reason.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import type { createPayer } from '../intake/request-info.ts';
import { model } from '../model.ts';
import type { PayerNames } from '../payers.ts';
import { VerificationSource } from './insurance-plan-data.ts';
import { opensAtField, timeZoneField } from './work.ts';

/** How often a channel failed with one reason. */
export const FailureCount = model('FailureCount', 'How often a channel ended with one reason.', {
  error_reason: ErrorReason.meta({ description: 'The reason.' }),
  count: wholeNumber().meta({ description: 'How often, in the last 24 hours.' }),
});
export type FailureCount = z.infer<typeof FailureCount>;

/**
 * For whom to count what a claim would lease (`work.stats`): a person works `manual_web_portal` and `manual_phone_call`,
 * an agent `agent_web_portal` and `agent_phone_call`.
 */
export const CountWork = model('CountWork', 'For whom to count the work.', {
  verifier: z
    .enum(['person', 'agent', ...VerificationSource.options])
    .optional()
    .meta({
      description:
        'Who would claim: `person` works both manual channels, `agent` both agent channels, and a channel is a verifier who works only that one. Absent: a verifier of every channel.',
    }),
});
export type CountWork = z.infer<typeof CountWork>;

/** The current state of one channel of one payer, and its last 24 hours (`work.stats`). */
export function createChannelStats<P extends PayerNames>(payer: ReturnType<typeof createPayer<P>>) {
  return model('ChannelStats', 'The current state of one channel of one payer, and its last 24 hours.', {
    payer: payer.meta({ description: 'The payer plan.' }),
    channel: VerificationSource.meta({ description: 'The channel.' }),
    waiting_count: wholeNumber().meta({ description: 'Requests that wait in it now.' }),
    leased_count: wholeNumber().meta({ description: 'Requests that are worked on now.' }),
    on_call_count: wholeNumber().meta({
      description: 'Those of them whose verifier is on the phone with the payer.',
    }),
    in_portal_count: wholeNumber().meta({
      description: "Those of them whose verifier reads in the payer's portal.",
    }),
    overdue_count: wholeNumber().meta({
      description: 'Requests in it for longer than the route allows.',
    }),
    oldest_seconds: z
      .number()
      .nullable()
      .meta({ description: 'How long the longest waiting one has been due; null: none.' }),
    claimable_count: wholeNumber().meta({
      description:
        'Requests that claims of the verifier would lease to work in this channel, from it or from an earlier one without a verifier. Above 500, as of their last count.',
    }),
    oldest_claimable_seconds: z.number().nullable().meta({
      description: 'How long the longest waiting one of these has been due; null: none.',
    }),
    late_count: wholeNumber().meta({
      description: 'Those of the claimable whose account needed the result before now.',
    }),
    next_needed_at: dateTime().nullable().meta({
      description: 'When the next of the others is needed; null where none says when.',
    }),
    succeeded_count: wholeNumber().meta({ description: 'Attempts that verified.' }),
    failed_count: wholeNumber().meta({ description: 'Attempts that could not.' }),
    seconds_to_result_p50: z.number().nullable().meta({
      description: 'From the request to its result, the median, within 4.5 %; null: no result.',
    }),
    seconds_to_result_p90: z.number().nullable().meta({
      description: 'The same, 9 of 10 are faster.',
    }),
    within_20_seconds_share: z.number().nullable().meta({
      description:
        'Of the attempts that the payer answered, those that ended within 20 seconds, 0 to 1; null where it answered none.',
    }),
    failures: list(FailureCount).meta({ description: 'What failed, most frequent first.' }),
    opens_at: opensAtField(),
    time_zone: timeZoneField(),
  });
}

/** Every channel of every payer's route. */
export function createWorkStats<P extends PayerNames>(
  channelStats: ReturnType<typeof createChannelStats<P>>,
) {
  return model('WorkStats', "Every channel of every payer's route.", {
    items: list(channelStats).meta({ description: 'By payer, in the order of its route.' }),
  });
}
