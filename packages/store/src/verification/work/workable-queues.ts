import { VerificationSource } from '@insurance-verification/schema';
import { channelOf, type QueueName, type Route, type RouteChannel } from '../route.ts';

/** A queue that a claim may take from, and the channel it then works in. */
export interface WorkableQueue {
  readonly payerId: string;
  readonly queue: QueueName;
  readonly channel: RouteChannel;
}

const queueNames: readonly QueueName[] = ['entry', ...VerificationSource.options];

/**
 * Which queues a verifier of these channels may take from:
 *
 * | where the request stands                                       | may be taken                                   |
 * |----------------------------------------------------------------|------------------------------------------------|
 * | in a channel that the verifier works                           | yes, in that channel                           |
 * | in an earlier channel, unattended as are all up to the verifier's, of a route that skips those | yes, in the verifier's |
 * | anywhere else                                                  | no                                             |
 *
 * `entry`, and a channel that the route has dropped, stand for the route's first.
 */
export function workableQueues(
  route: Route,
  channels: ReadonlySet<VerificationSource>,
  isAttended: (channel: VerificationSource) => boolean,
): WorkableQueue[] {
  return queueNames.flatMap((queue) => {
    const from = route.channels.indexOf(channelOf(route, queue));
    const ahead = route.channels.slice(from);
    const channel = ahead.find(({ source }) => channels.has(source));
    if (!channel) return [];
    const passedOver = ahead.slice(0, ahead.indexOf(channel));
    const isOpen =
      passedOver.length === 0 ||
      (route.skipsUnattended && passedOver.every(({ source }) => !isAttended(source)));
    return isOpen ? [{ payerId: route.payerId, queue, channel }] : [];
  });
}
