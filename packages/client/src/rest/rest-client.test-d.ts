import type { AppRouter, RouterInputs } from '../router.ts';
import type { RestClient } from './rest-client.ts';

/*
 * RestClient is written out for its docstrings. These lines do not compile when an operation of the router is missing
 * there, one is there that the router lacks, or one takes another input.
 */

type Router = AppRouter['_def']['record'];
type Never<T extends never> = T;
type Names<Groups> = { [G in keyof Groups & string]: `${G}.${keyof Groups[G] & string}` }[keyof Groups &
  string];

type InputOf<Method> = Method extends (input: infer Input, options: never) => unknown ? Input : never;
type Refused = {
  [G in keyof Router]: {
    [N in keyof Router[G] & keyof RestClient[G] & keyof RouterInputs[G]]: RouterInputs[G][N] extends InputOf<
      RestClient[G][N]
    > | void
      ? never
      : [G, N];
  }[keyof Router[G] & keyof RestClient[G] & keyof RouterInputs[G]];
}[keyof Router];

export type Proofs = [
  Never<Exclude<Names<Router>, Names<RestClient>>>,
  Never<Exclude<Names<RestClient>, Names<Router> | `${string}.listAll`>>,
  Never<Refused>,
  // @ts-expect-error the first proof sees an operation that is missing
  Never<Exclude<Names<Router>, Names<Omit<RestClient, 'keys'>>>>,
];
