import { ReceiverList, TriedReceiver, TryReceiver } from '../delivery/receiver.ts';
import { operation } from './operation.ts';

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
    output: ReceiverList,
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
