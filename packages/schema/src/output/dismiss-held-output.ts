import * as z from 'zod';
import { model } from '../model.ts';

/** The body that dismisses a held output (`heldOutputs.dismiss`). */
export const DismissHeldOutput = model('DismissHeldOutput', 'Dismisses a held output.', {
  note: z.string().optional().meta({ description: 'Why, for the next operator; free text.' }),
});
/** {@link DismissHeldOutput} as a type. */
export type DismissHeldOutput = z.infer<typeof DismissHeldOutput>;
