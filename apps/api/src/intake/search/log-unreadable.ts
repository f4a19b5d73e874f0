import type { Context } from '../../procedure/context/context.ts';

/** Logs and counts the requests that a list omits because their stored values do not open. */
export function logUnreadable({ app, call }: Context, requestIds: readonly string[]): void {
  for (const request_id of requestIds) {
    app.metrics.requestsUnreadable.inc();
    app.log.error({ trace: call.trace, request_id }, 'a request does not open; the list goes on without it');
  }
}
