import type { OPERATIONS, PayerNames } from '@insurance-verification/schema';
import type { AnyTRPCProcedure, inferProcedureInput, inferProcedureOutput } from '@trpc/server';
import type { AppRouter } from '../router.ts';

/** What any call takes beside its input. */
export interface CallOptions {
  /** Ends the call, its retries too; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What a create takes beside its input. */
export interface CreateOptions extends CallOptions {
  /**
   * Names the request across attempts, of this call and of later ones: the same key and input give the first answer
   * again. 1 to 255 printable ASCII characters; a random one when left out, which the error of a failed call tells.
   */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The service's operations over REST, grouped and named as in the router: `client.requests.get({ request_id })`. Every
 * method rejects with a class of `InsuranceVerificationError`. A group with a `list` has a `listAll` too, which gives the
 * items of all pages one at a time; `limit` is the size of a page.
 *
 * It retries what {@link OPERATIONS} calls repeatable. A create is stored once: all attempts share one Idempotency-Key.
 */
export type RestClient<P extends PayerNames = PayerNames> = {
  readonly [Group in keyof Groups<P>]: Methods<Groups<P>[Group], Group> & ListAll<Groups<P>[Group]>;
};

type Groups<P extends PayerNames> = AppRouter<P>['_def']['record'];

type Methods<Procedures, Group extends string> = {
  readonly [Name in keyof Procedures]: Procedures[Name] extends AnyTRPCProcedure
    ? Method<Procedures[Name], OptionsOf<`${Group}.${Name & string}`>>
    : never;
};

/** An input without required members may be left out; an operation without an input takes the options alone. */
type Method<
  Procedure extends AnyTRPCProcedure,
  Options,
  Input = inferProcedureInput<Procedure>,
  Output = inferProcedureOutput<Procedure>,
> = [Input] extends [void]
  ? (options?: Options) => Promise<Output>
  : Partial<Input> extends Input
    ? (input?: Input, options?: Options) => Promise<Output>
    : (input: Input, options?: Options) => Promise<Output>;

type OptionsOf<Name extends string> = Name extends keyof typeof OPERATIONS
  ? (typeof OPERATIONS)[Name] extends { readonly takesIdempotencyKey: true }
    ? CreateOptions
    : CallOptions
  : never;

/** The pages of a list, one item at a time: the input without the cursor, which is the iterator's. */
type ListAll<Procedures> = Procedures extends { readonly list: infer List extends AnyTRPCProcedure }
  ? {
      /** The items of all pages, newest first, one at a time; `limit` is the size of a page. */
      readonly listAll: (
        input?: Omit<NonNullable<inferProcedureInput<List>>, 'cursor'>,
        options?: CallOptions,
      ) => AsyncGenerator<inferProcedureOutput<List>['items'][number], void, void>;
    }
  : unknown;
