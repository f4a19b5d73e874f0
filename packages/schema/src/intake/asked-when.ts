import { dateTime } from '../field/date/date-time.ts';
import { date } from '../field/date/date.ts';

/** The day that a request asks about, as its header `Service-Date` says. */
export const serviceDateField = () =>
  date().nullable().meta({
    description: 'The day to ask about, as given in Service-Date; null for the day of asking.',
  });

/** When a request is needed, as its header `Needed-By` says. */
export const neededByField = () =>
  dateTime().nullable().meta({
    description: 'When its account needs the first result, as given in Needed-By; null without one.',
  });
