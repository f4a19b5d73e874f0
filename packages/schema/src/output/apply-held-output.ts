import * as z from 'zod';
import { model } from '../model.ts';

/** The body that applies a held output (`heldOutputs.apply`). */
export const ApplyHeldOutput = model('ApplyHeldOutput', 'Applies a held output.', {
  request_id: z
    .string()
    .optional()
    .meta({ description: 'The request to apply it to; absent: the one it names itself.' }),
});
/** {@link ApplyHeldOutput} as a type. */
export type ApplyHeldOutput = z.infer<typeof ApplyHeldOutput>;
