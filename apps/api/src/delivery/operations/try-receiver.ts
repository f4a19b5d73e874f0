import { TriedReceiver, TryReceiver } from '@insurance-verification/schema';
import { tryReceiver as tryStoredReceiver } from '@insurance-verification/store';
import { mutation } from '../../procedure/trpc.ts';

/** Tries a receiver at once: the delivery that waits first for it. */
export const tryReceiver = () =>
  mutation({
    meta: {
      operation: 'receivers.tryNow',
      openapi: {
        summary: 'Try a receiver now',
        description:
          'For when a receiver is back: the delivery that waits first for it is sent at once, also where it is paused or its next attempt is hours away. If it is taken, what is due follows. Nothing is sent twice that is under way.',
        tags: ['Delivery'],
      },
      changes: ['delivery'],
      limit: 'redeliver-exhausted',
      example: { host: 'billing.example' },
      answers: { one: { tried: 1 } },
    },
    input: TryReceiver,
    output: TriedReceiver,
    handler: async ({ ctx: { app, caller }, input: { host } }) => {
      const requestIds = await tryStoredReceiver(app.store, { caller, host });
      if (requestIds.length > 0) app.wakeDelivery();
      return { tried: requestIds.length };
    },
  });
