import type { AppRouter, TrpcErrorShape } from '@insurance-verification/client';
import type { AnyTRPCRouter, inferRouterError, inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { ApiRouter } from '../src/router.ts';

/*
 * The client package has the router's type as a file that is made from its models' names, so that it can be published
 * without this program. These lines do not compile when the two differ: a procedure more or less on either side, a query that became a mutation, an
 * input, an output or the error in any direction.
 */

type Assert<T extends true> = T;
type Is<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Every procedure's dotted name with its kind. */
type Kinds<Record, Prefix extends string = ''> = {
  [Name in keyof Record & string]: Record[Name] extends { _def: { type: infer Kind extends string } }
    ? `${Prefix}${Name}: ${Kind}`
    : Kinds<Record[Name], `${Prefix}${Name}.`>;
}[keyof Record & string];

/** Per procedure, so that an error names the one that differs; exact in optional keys and nullability. */
type Differences<A, B> = {
  [Group in keyof A & keyof B]: {
    [Name in keyof A[Group] & keyof B[Group]]: Is<Exact<A[Group][Name]>, Exact<B[Group][Name]>> extends true
      ? never
      : `${Group & string}.${Name & string}`;
  }[keyof A[Group] & keyof B[Group]];
}[keyof A & keyof B];

/** Distinguishes an optional key from a required one that may be undefined; assignability alone would let one pass. */
type Exact<T> = T extends readonly (infer Item)[]
  ? { list: Exact<Item> }
  : T extends object
    ? {
        keys: { [K in keyof T]-?: Exact<T[K]> };
        optional: { [K in keyof T]: {} extends Pick<T, K> ? true : false };
      }
    : T;

type Never<T extends never> = T;

export type Proofs = [
  Assert<Is<Kinds<ApiRouter['_def']['record']>, Kinds<AppRouter['_def']['record']>>>,
  Never<Differences<inferRouterInputs<ApiRouter>, inferRouterInputs<AppRouter>>>,
  Never<Differences<inferRouterOutputs<ApiRouter>, inferRouterOutputs<AppRouter>>>,
  Assert<Is<inferRouterError<ApiRouter>, TrpcErrorShape>>,
  Assert<Is<Transformer<ApiRouter>, Transformer<AppRouter>>>,
];

type Transformer<Router extends AnyTRPCRouter> = Router['_def']['_config']['$types']['transformer'];

// Tests of the checks: each kind of difference is detected.
interface Ref {
  request_id: string;
}
type Api = inferRouterInputs<ApiRouter>;
export type Seen = [
  // @ts-expect-error a procedure less
  Assert<Is<Kinds<ApiRouter['_def']['record']>, Kinds<Omit<AppRouter['_def']['record'], 'keys'>>>>,
  // @ts-expect-error a key less
  Never<Differences<Api, { requests: { redeliver: object } }>>,
  // @ts-expect-error a key more, though optional
  Never<Differences<Api, { requests: { redeliver: Ref & { force?: boolean } } }>>,
  // @ts-expect-error a required key made optional
  Never<Differences<Api, { requests: { redeliver: Partial<Ref> } }>>,
  // @ts-expect-error null where there is none
  Never<Differences<Api, { requests: { redeliver: { request_id: string | null } } }>>,
  Never<Differences<Api, { requests: { redeliver: Ref } }>>,
];
