import type { getRequest } from '../src/intake/get-request.ts';
import type { ProcedureOfEach, query } from '../src/procedure/trpc.ts';
import type { ApiRouter } from '../src/router.ts';

/*
 * `satisfies` in the router checks it against the table of operations. These lines do not compile when that check no
 * longer detects what it exists for: scopes that nobody checks, or a route that leads to another operation.
 */

type Procedures = ApiRouter['_def']['record'];
type Fits<T extends ProcedureOfEach> = T;
type WithGet<Get> = Omit<Procedures, 'requests'> & {
  requests: Omit<Procedures['requests'], 'get'> & { get: Get };
};
type Reads<Name extends Parameters<typeof query>[0]['meta']['operation']> = Name;

export type Seen = [
  Fits<Procedures>,
  Fits<WithGet<ReturnType<typeof getRequest>>>,
  // @ts-expect-error a row without a procedure
  Fits<Omit<Procedures, 'keys'>>,
  // @ts-expect-error the procedure of another operation
  Fits<WithGet<Procedures['requests']['result']>>,
  Reads<'requests.get'>,
  // @ts-expect-error a POST is no query
  Reads<'requests.create'>,
  // @ts-expect-error a procedure without a row
  Reads<'requests.vanish'>,
];
