import { ERROR_REASONS, FailureCount, list, type Schemas } from '@insurance-verification/schema';
import * as z from 'zod';
import { strictObject } from './strict-object.ts';
import { tool } from './tool.ts';

const FailureMeaning = FailureCount.extend({
  meaning: z.string().meta({ description: 'What the reason says.' }),
}).loose();

export const workStats = ({ ChannelStats }: Schemas) =>
  tool({
    name: 'work_stats',
    title: 'See how the work stands',
    description:
      'What waits, is worked on and was found out in the last 24 hours, for each channel of each payer. ' +
      'claimable_count tells what claim_next has for you, and what goes wrong with a payer at present.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: strictObject({}),
    output: {
      items: list(ChannelStats.extend({ failures: list(FailureMeaning) }).loose()).meta({
        description: 'By payer, in the order of its route.',
      }),
    },
    run: async ({ client }) => {
      const { items } = await client.work.stats({ verifier: 'agent' });
      return {
        items: items.map((channel) => ({
          ...channel,
          failures: channel.failures.map((failure) => ({
            ...failure,
            meaning: ERROR_REASONS[failure.error_reason].sentence,
          })),
        })),
      };
    },
  });
