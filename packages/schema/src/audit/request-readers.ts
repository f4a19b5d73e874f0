import * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';

/** Who did one thing with a request, and how often (`requests.readers`). */
export const RequestReader = model('RequestReader', 'Who did one thing with a request, and how often.', {
  key_id: z.string().nullable().meta({
    description:
      'The key or person (stf_…), or a worker of the service; null for a caller without one, and where the caller may not know.',
  }),
  name: z.string().nullable().meta({ description: 'The name of that person or key; null without one.' }),
  operation: z.string().meta({ description: 'What was done, for example requests.reveal.' }),
  count: wholeNumber().meta({
    description: 'How often; what a person’s page reads again within 15 minutes counts once.',
  }),
  first_at: dateTime().meta({ description: 'When first.' }),
  last_at: dateTime().meta({ description: 'When last.' }),
});
/** {@link RequestReader} as a type. */
export type RequestReader = z.infer<typeof RequestReader>;

/** Who did what with a request, from its newest 10,000 lines of the access log. */
export const RequestReaderList = model('RequestReaderList', 'Who did what with a request.', {
  items: list(RequestReader).meta({ description: 'Each caller and operation once, the latest first.' }),
});
/** {@link RequestReaderList} as a type. */
export type RequestReaderList = z.infer<typeof RequestReaderList>;
