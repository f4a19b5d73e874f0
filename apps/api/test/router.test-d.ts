import type { Handler } from '../src/procedure/procedure.ts';
import type { AllHandlers } from '../src/procedure/trpc.ts';

/*
 * `implement` checks the router's handlers against the contract. These lines do not compile when that check no longer
 * detects an operation without a handler, or a handler that answers something else.
 */

type Fits<T extends AllHandlers> = T;
type WithGet<Get> = Omit<AllHandlers, 'requests'> & {
  requests: Omit<AllHandlers['requests'], 'get'> & { get: Get };
};

export type Seen = [
  Fits<AllHandlers>,
  Fits<WithGet<Handler<'requests.get'>>>,
  // @ts-expect-error a resource without handlers
  Fits<Omit<AllHandlers, 'keys'>>,
  // @ts-expect-error an operation without a handler
  Fits<Omit<AllHandlers, 'requests'> & { requests: Omit<AllHandlers['requests'], 'get'> }>,
  // @ts-expect-error a handler that answers something else
  Fits<WithGet<Handler<'requests.result'>>>,
  // @ts-expect-error a handler that needs more input
  Fits<WithGet<Handler<'work.fail'>>>,
];
