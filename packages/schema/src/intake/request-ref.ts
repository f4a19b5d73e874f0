import * as z from 'zod';
import { model } from '../model.ts';

/** Names one request. A malformed id is as unknown as a wrong one: 404, so any string passes here. */
export const RequestRef = model('RequestRef', 'Names one request.', {
  request_id: z.string().meta({ description: 'The id the service issued.' }),
});
/** {@link RequestRef} as a type. */
export type RequestRef = z.infer<typeof RequestRef>;
