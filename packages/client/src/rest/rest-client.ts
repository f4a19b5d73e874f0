import type { PayerNames } from '@insurance-verification/schema';
import type { Operations, ROUTES } from '../router/operations.ts';
import type { Mutation, Query } from '../router/procedure.ts';

/** The options of any call. */
export interface CallOptions {
  /** Aborts the call and its retries; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of a create. */
export interface CreateOptions extends CallOptions {
  /**
   * Identifies the request across attempts, of this call and of later ones: the same key and input return the first
   * answer again. 1 to 255 printable ASCII characters; defaults to a random one, which the error of a failed call
   * contains.
   */
  readonly idempotencyKey?: string | undefined;
  /** The day to ask the payer about, `YYYY-MM-DD`, at most a year before or after today; absent: the day of asking. */
  readonly serviceDate?: string | undefined;
  /**
   * When the result is needed, an instant to come; as text in RFC 3339. Of an account's requests the earliest is worked
   * on first.
   */
  readonly neededBy?: Date | string | undefined;
}

/**
 * The service's operations over REST, grouped and named as in the router: `client.requests.get({ request_id })`. Every
 * method rejects with a class of `InsuranceVerificationError`. A group with a `list` also has a `listAll`, which yields
 * the items of all pages one at a time; `limit` is the page size.
 *
 * It retries the operations that {@link ROUTES} marks as repeatable. A create is stored once: all attempts share
 * one Idempotency-Key.
 */
export type RestClient<P extends PayerNames = PayerNames> = {
  readonly [Group in keyof Operations<P>]: Methods<Operations<P>[Group], Group> &
    ListAll<Operations<P>[Group]>;
};

type Methods<Procedures, Group extends string> = {
  readonly [Name in keyof Procedures]: Procedures[Name] extends Procedure<infer Input, infer Output>
    ? Method<Input, Output, OptionsOf<`${Group}.${Name & string}`>>
    : never;
};

type Procedure<Input, Output> = Query<Input, Output> | Mutation<Input, Output>;

/** An input without required members is optional; an operation without an input takes only the options. */
type Method<Input, Output, Options> = [Input] extends [void]
  ? (options?: Options) => Promise<Output>
  : Partial<Input> extends Input
    ? (input?: Input, options?: Options) => Promise<Output>
    : (input: Input, options?: Options) => Promise<Output>;

type OptionsOf<Name extends string> = Name extends keyof typeof ROUTES
  ? (typeof ROUTES)[Name] extends { readonly takesIdempotencyKey: true }
    ? CreateOptions
    : CallOptions
  : never;

/** The pages of a list, one item at a time: the input lacks the cursor, which the iterator manages. */
type ListAll<Procedures> = Procedures extends {
  readonly list: Query<infer Input, infer Page extends { items: readonly unknown[] }>;
}
  ? {
      /** The items of all pages, newest first, one at a time; `limit` is the page size. */
      readonly listAll: (
        input?: Omit<NonNullable<Input>, 'cursor'>,
        options?: CallOptions,
      ) => AsyncGenerator<Page['items'][number], void, void>;
    }
  : unknown;
