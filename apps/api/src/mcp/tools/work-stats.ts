import { ERROR_REASONS, FailureCount, list, type Schemas } from '@insurance-verification/schema';
import * as z from 'zod';
import { strictObject } from './tool-schema.ts';
import { tool } from './tool.ts';

const FailureMeaning = FailureCount.extend({
  meaning: z.string().meta({ description: 'What the reason says.' }),
}).loose();

/** What an agent chooses its work by; the rest of the service's figures are for those who run it. */
const SHOWN = {
  payer: true,
  channel: true,
  claimable_count: true,
  oldest_claimable_seconds: true,
  waiting_count: true,
  leased_count: true,
  succeeded_count: true,
  failed_count: true,
} as const;

export const workStats = ({ ChannelStats }: Schemas) => {
  const Shown = ChannelStats.pick(SHOWN).extend({
    claimable_count: ChannelStats.shape.claimable_count.meta({
      description: 'Requests that claim_next has for you in this channel.',
    }),
    failures: list(FailureMeaning),
  });
  return tool({
    name: 'work_stats',
    title: 'See how the work stands',
    description:
      'The channels that have work, or had an attempt in the last 24 hours. ' +
      'claimable_count is what claim_next has for you; failures is what goes wrong with a payer at present.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: strictObject({}),
    output: { items: list(Shown.loose()).meta({ description: 'By payer, in the order of its route.' }) },
    run: async ({ call }) => {
      const { items } = await call('work.stats', { verifier: 'agent' });
      return {
        items: items.filter(hasWork).map((channel) => ({
          ...Shown.parse({ ...channel, failures: [] }),
          failures: channel.failures.map((failure) => ({
            ...failure,
            meaning: ERROR_REASONS[failure.error_reason].sentence,
          })),
        })),
      };
    },
  });
};

/** Whether something waits, is worked on or was tried: of a hundred payers few have that, and each takes 500 bytes. */
const hasWork = (channel: z.output<Schemas['ChannelStats']>): boolean =>
  channel.claimable_count +
    channel.waiting_count +
    channel.leased_count +
    channel.succeeded_count +
    channel.failed_count >
  0;
