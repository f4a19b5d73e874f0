import * as z from 'zod';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

/** A demo day that was played (`demo.playDay`). */
export const DemoDay = model('DemoDay', 'A demo day that was played.', {
  account_id: z.string().meta({
    description: 'One of its test accounts: who acts for it sees the whole day, and nothing that is live.',
  }),
  request_count: wholeNumber().meta({ description: 'How many requests it has.' }),
});
/** {@link DemoDay} as a type. */
export type DemoDay = z.infer<typeof DemoDay>;

/** What deleting the demo day did (`demo.clearDay`). */
export const ClearedDemoDay = model('ClearedDemoDay', 'What deleting the demo day did.', {
  request_count: wholeNumber().meta({
    description: 'How many requests were deleted; 0 when there was no demo day.',
  }),
});
/** {@link ClearedDemoDay} as a type. */
export type ClearedDemoDay = z.infer<typeof ClearedDemoDay>;
