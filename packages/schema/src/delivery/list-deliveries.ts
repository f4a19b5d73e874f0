import type * as z from 'zod';
import { dateTime } from '../field/date/date-time.ts';
import { model } from '../model.ts';
import { cursorField, limitField, orderField } from '../page/page-fields.ts';
import { deliveryFilter } from './delivery-filter.ts';
import { DeliveryStatus } from './delivery.ts';

/** The deliveries to list (`deliveries.list`): those that match every given filter. */
export const ListDeliveries = model('ListDeliveries', 'Which deliveries to list.', {
  limit: limitField(),
  cursor: cursorField(),
  order: orderField(),
  status: DeliveryStatus.optional().meta({ description: 'Only deliveries in this state.' }),
  ...deliveryFilter,
  since: dateTime()
    .optional()
    .meta({ description: 'Only those whose result was accepted at this time or later.' }),
});
/** {@link ListDeliveries} as a type, after the default is filled in. */
export type ListDeliveries = z.infer<typeof ListDeliveries>;
