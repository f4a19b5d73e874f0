import type { Context } from '../procedure/context/context.ts';

/** Tells the log and the metrics which requests a list goes on without, since their stored values do not open. */
export function tellUnreadable({ app, call }: Context, requestIds: readonly string[]): void {
  for (const request_id of requestIds) {
    app.metrics.requestsUnreadable.inc();
    app.log.error({ trace: call.trace, request_id }, 'a request does not open; the list goes on without it');
  }
}
