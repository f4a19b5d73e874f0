import { type EndpointDisabledReason, EventType } from '@insurance-verification/schema';
import type { Outputs } from '../api/api.ts';
import { EVENTS } from '../words/request-words.ts';

/** An endpoint as the service returns it. */
export type Endpoint = Outputs['endpoints']['get'];

/** Why an endpoint is off, after “Off: ”. */
export const OFF: Readonly<Record<EndpointDisabledReason, string>> = {
  failing: 'it failed for five days',
  gone: 'it answered 410 Gone',
  paused: 'turned off by hand',
  maker_ended: 'who made it has left',
};

/** Whose events an endpoint gets. */
export const COVERS: Readonly<Record<Endpoint['covers'], string>> = {
  own: 'its own account',
  test: 'every test account',
  all: 'every account',
};

/** The address of an endpoint, or its id where the stored address does not open. */
export const addressOf = ({ url, endpoint_id: id }: Endpoint): string => url ?? id;

/** The events that a new endpoint gets unless others are chosen: what a clinic's software waits for. */
export const USUAL: readonly EventType[] = ['request.answered', 'request.failed', 'result.corrected'];

/**
 * The types of events to choose from, with their words. A test is for one endpoint and asked for by a button; an output
 * that is held is for operators.
 */
export const typeChoices = (isOperator: boolean): readonly (readonly [EventType, string])[] =>
  EventType.options
    .filter((type) => type !== 'endpoint.test' && (isOperator || type !== 'request.held'))
    .map((type) => [type, EVENTS[type]]);

/** `1 event`, `12 events`; the service counts up to ten thousand. */
export function eventsOf(count: number): string {
  if (count >= 10_000) return '10,000 events or more';
  return count === 1 ? '1 event' : `${count} events`;
}
