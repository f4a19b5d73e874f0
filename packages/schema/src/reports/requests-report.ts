import type * as z from 'zod';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/whole-number.ts';
import { model } from '../model.ts';
import { reportHeadFields, stepField } from './report-range.ts';

/** What happened to requests in one step. */
export const RequestsInStep = model('RequestsInStep', 'What happened to requests in one step of a report.', {
  at: stepField(),
  received_count: wholeNumber().meta({ description: 'Requests that came in.' }),
  completed_count: wholeNumber().meta({ description: 'Requests whose first result found out.' }),
  not_verified_count: wholeNumber().meta({ description: 'Requests whose first result is an error_reason.' }),
  corrected_count: wholeNumber().meta({ description: 'Later results, which corrected one.' }),
  met_count: wholeNumber().meta({
    description: 'Requests that were needed in this step (Needed-By), and had their first result by then.',
  }),
  overdue_count: wholeNumber().meta({
    description: 'Requests that were needed in this step, and had no result by then.',
  }),
});
/** {@link RequestsInStep} as a type. */
export type RequestsInStep = z.infer<typeof RequestsInStep>;

/** Requests by outcome over a time (`reports.requests`). */
export const RequestsReport = model('RequestsReport', 'Requests by outcome over a time.', {
  ...reportHeadFields(),
  items: list(RequestsInStep).meta({
    description: 'Every step, the earliest first, also those without any.',
  }),
});
/** {@link RequestsReport} as a type. */
export type RequestsReport = z.infer<typeof RequestsReport>;
