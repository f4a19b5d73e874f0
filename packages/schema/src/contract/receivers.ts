import * as z from 'zod';
import { AccountMode, ofModeField } from '../access/account.ts';
import { AttemptOutcome } from '../delivery.ts';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { wholeNumber } from '../field/text-and-number.ts';
import { model } from '../model.ts';
import { operation } from './operation.ts';

/** A callback host, over all accounts that send to it (`receivers.list`). */
export const Receiver = model('Receiver', 'A callback host with the state of its deliveries.', {
  host: z.string().nullable().meta({
    description: 'Its host and port; null when the address of its last delivery is erased or does not open.',
  }),
  taken_count: wholeNumber().meta({ description: 'Attempts of the last 24 hours that it took.' }),
  failed_count: wholeNumber().meta({ description: 'Attempts of the last 24 hours that failed.' }),
  waiting_count: wholeNumber().meta({ description: 'Deliveries that wait for it, 10,000 at most.' }),
  given_up_count: wholeNumber().meta({
    description: 'Deliveries to it that were given up and not sent again, 10,000 at most.',
  }),
  last_attempt_at: dateTime().meta({ description: 'When the last attempt ended, some seconds late.' }),
  last_outcome: AttemptOutcome.nullable().meta({
    description: 'How that attempt ended; null in the seconds before it is counted.',
  }),
  last_status_code: wholeNumber()
    .nullable()
    .meta({ description: 'The HTTP status that it was answered with; null when none came.' }),
  paused_since: dateTime().nullable().meta({
    description: 'Since when it is paused, since most of its answers were failures; null while it is not.',
  }),
  endpoint_failing_since: dateTime().nullable().meta({
    description:
      'Since when an endpoint at it has taken no event, once that is two hours; also while the endpoint is disabled for it. Null while none fails.',
  }),
  account_mode: AccountMode.meta({ description: 'The mode of the account of its last delivery.' }),
  next_try_at: dateTime().nullable().meta({
    description:
      'When it is tried next; in the past: as soon as its turn comes. Null when nothing waits for it.',
  }),
});
export type Receiver = z.infer<typeof Receiver>;

/** Which receivers to list (`receivers.list`). */
export const ListReceivers = model('ListReceivers', 'Which receivers to list.', {
  account_mode: ofModeField(),
});
export type ListReceivers = z.infer<typeof ListReceivers>;

/** The receivers of the last day, and those for which something waits or was given up. */
export const ReceiverList = model('ReceiverList', 'The receivers of the last day.', {
  items: list(Receiver).meta({
    description:
      'Those for which the most was given up, then those that are paused, then those for which the most waits; 200 at most.',
  }),
});
export type ReceiverList = z.infer<typeof ReceiverList>;

/** Names a receiver: the input of `receivers.tryNow`. */
export const TryReceiver = model('TryReceiver', 'Names a receiver.', {
  host: z.string().min(1).max(260).meta({
    description: 'Its host, as in the callback address: receiver.example, or receiver.example:8443.',
  }),
});
export type TryReceiver = z.infer<typeof TryReceiver>;

/** How many deliveries are tried. */
export const TriedReceiver = model('TriedReceiver', 'How many deliveries are tried now.', {
  tried: wholeNumber().meta({
    description:
      'One for each port that something waits for; the others follow if it is taken. 0: nothing waits.',
  }),
});
export type TriedReceiver = z.infer<typeof TriedReceiver>;

/** The operations of `receivers`. */
export const receiversOperations = () => ({
  list: operation('receivers.list', {
    get: '/receivers',
    scopes: ['operate'],
    audience: ['operator'],
    tag: 'Delivery',
    summary: 'List receivers',
    description:
      'Reports for each callback host, over all accounts, how the attempts of the last 24 hours ended, how much waits for it and how much was given up, what it answered last, and whether it is paused, and until when. Those for which the most was given up come first, then those that are paused.',
    limit: 'reads',
    input: ListReceivers,
    output: ReceiverList,
    example: { account_mode: 'live' },
    answers: {
      paused: {
        items: [
          {
            host: 'billing.example:443',
            taken_count: 312,
            failed_count: 44,
            waiting_count: 27,
            given_up_count: 5,
            last_attempt_at: '2026-11-21T09:29:48.120Z',
            last_outcome: 'http_error',
            last_status_code: 503,
            paused_since: '2026-11-21T09:12:03.511Z',
            endpoint_failing_since: null,
            account_mode: 'live',
            next_try_at: '2026-11-21T09:30:18.004Z',
          },
        ],
      },
    },
  }),

  // A second call tries what is due then.
  tryNow: operation('receivers.tryNow', {
    post: '/receivers/try',
    scopes: ['operate'],
    audience: ['operator'],
    repeatable: true,
    tag: 'Delivery',
    summary: 'Try a receiver now',
    description:
      'Use it when a receiver is back. Sends the first delivery that waits for it at once, even if the receiver is paused or the next attempt is hours away. If the receiver accepts it, all due deliveries follow. A delivery that is in progress is not sent twice.',
    limit: 'redeliver-exhausted',
    changes: ['delivery'],
    input: TryReceiver,
    output: TriedReceiver,
    example: { host: 'billing.example' },
    answers: { one: { tried: 1 } },
  }),
});
