import * as z from 'zod';
import { model } from '../model.ts';

/** The answer of `requests.noteCopy`. */
export const NotedCopy = model('NotedCopy', 'A copy is on record.', {
  status: z.literal('noted').meta({ description: 'It is in the access log.' }),
});
/** {@link NotedCopy} as a type. */
export type NotedCopy = z.infer<typeof NotedCopy>;
