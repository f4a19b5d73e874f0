import * as z from 'zod';
import { model } from '../model.ts';

/** The body that dismisses a held output (`heldOutputs.dismiss`). */
export const DismissHeldOutput = model('DismissHeldOutput', 'Dismisses a held output.', {
  note: z.string().optional().meta({ description: 'Why, for the next operator; free text.' }),
});
/** {@link DismissHeldOutput} as a type. */
export type DismissHeldOutput = z.infer<typeof DismissHeldOutput>;

/** The held output is dismissed. */
export const DismissReceipt = model('DismissReceipt', 'The held output is dismissed.', {
  status: z.literal('dismissed').meta({ description: 'It waits no longer.' }),
});
/** {@link DismissReceipt} as a type. */
export type DismissReceipt = z.infer<typeof DismissReceipt>;
