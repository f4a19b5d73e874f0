import * as z from 'zod';
import { model } from '../model.ts';

/** Names one request. Any string passes: a malformed id answers 404, like an unknown one. */
export const RequestRef = model('RequestRef', 'Names one request.', {
  request_id: z.string().meta({ description: 'The id the service issued.' }),
});
export type RequestRef = z.infer<typeof RequestRef>;
