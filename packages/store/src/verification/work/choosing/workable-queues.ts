import { VerificationSource } from '@insurance-verification/schema';
import { channelOf, type QueueName, type Route, type RouteChannel } from '../../../tables/route.ts';

/** A queue that a claim may take from, and the channel in which it then works. */
export interface WorkableQueue {
  readonly payerId: string;
  readonly queue: QueueName;
  readonly channel: RouteChannel;
}

const queueNames: readonly QueueName[] = ['entry', ...VerificationSource.options];

/**
 * The queues that a verifier of these channels may take from:
 *
 * | the request's position                                         | may be taken                                   |
 * |----------------------------------------------------------------|------------------------------------------------|
 * | in one of the verifier's channels                              | yes, in that channel                           |
 * | in an earlier channel, if all before the verifier's are unattended and the route skips those | yes, in the verifier's |
 * | anywhere else                                                  | no                                             |
 *
 * `entry`, and a channel removed from the route, count as the route's first.
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
