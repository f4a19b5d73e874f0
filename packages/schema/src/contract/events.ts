import * as z from 'zod';
import { EventType, ListedEvent } from '../event.ts';
import { list } from '../field/list.ts';
import { model } from '../model.ts';
import { limitField } from '../page.ts';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { operation } from './operation.ts';

/** Which events to list (`events.list`): those that match every given filter. */
export const ListEvents = model('ListEvents', 'Which events to list.', {
  limit: limitField(),
  after: z.string().min(1).optional().meta({
    description:
      'Only events after this one, by its id; absent: from the oldest that is kept. The id of an event that is no longer kept is as if absent.',
  }),
  type: EventType.optional().meta({ description: 'Only events of this type.' }),
  subject: z.string().optional().meta({
    description: 'Only events about this request, endpoint, key or account, by its id.',
  }),
  account_id: z
    .string()
    .optional()
    .meta({ description: 'Only events of this account; absent: of every account within reach.' }),
});
/** {@link ListEvents} as a type, after the default is filled in. */
export type ListEvents = z.infer<typeof ListEvents>;

/** Events, oldest first. */
export const EventList = model('EventList', 'Events, oldest first.', {
  items: list(ListedEvent).meta({ description: 'The events, in the order in which they became visible.' }),
  more: z.boolean().meta({ description: 'True: more follow now, after the last of these.' }),
});
export type EventList = z.infer<typeof EventList>;

/** The example's request was answered, and the endpoint took the event at the first attempt. */
const exampleEvent: ListedEvent = {
  id: EXAMPLE_IDS.event,
  type: 'request.answered',
  account_id: EXAMPLE_IDS.account,
  occurred_at: '2026-11-20T10:15:00.000Z',
  number: 1,
  data: { request_id: EXAMPLE_IDS.request, version: 1 },
  deliveries: [
    {
      delivery_id: EXAMPLE_IDS.delivery,
      endpoint_id: EXAMPLE_IDS.endpoint,
      status: 'delivered',
      reason: null,
      next_attempt_at: null,
      attempts: [
        {
          number: 1,
          at: '2026-11-20T10:15:00.020Z',
          outcome: 'succeeded',
          status_code: 204,
          duration_ms: 41,
        },
      ],
    },
  ],
};

/** The operations of `events`. */
export const eventsOperations = () => ({
  list: operation('events.list', {
    get: '/events',
    scopes: ['requests', 'operate'],
    audience: ['provider', 'operator'],
    tag: 'Delivery',
    summary: 'List events, oldest first',
    description:
      'Use it to catch up after an outage: pass the id of the last event that you have as `after`. Returns the events of the last 30 days with their deliveries; with scope `operate`, of every account. A reader that follows `after` misses none.',
    limit: 'reads',
    input: ListEvents,
    output: EventList,
    example: {
      limit: 20,
      after: EXAMPLE_IDS.event,
      type: 'request.answered',
      subject: EXAMPLE_IDS.request,
      account_id: EXAMPLE_IDS.account,
    },
    answers: { page: { items: [exampleEvent], more: false } },
  }),
});
