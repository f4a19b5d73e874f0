import * as z from 'zod';

/** Names a held output by its id. */
export const HeldOutputRef = z.object({
  held_id: z.string().meta({ description: 'The id of the held output.' }),
});
