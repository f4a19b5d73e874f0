import type { BatchMode, PayerNames } from '@insurance-verification/schema';
import type { Operations, ROUTES } from '../router/operations.ts';
import type { Mutation, Query } from '../router/procedure.ts';
import type { RowsFormat } from './send-rows.ts';

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
  /** The patient's gender, `F`, `M` or `U`, for a payer that asks for it (`asks_gender` of `payers.list`). */
  readonly gender?: string | undefined;
}

/** The options of `batches.create`. */
export interface BatchOptions extends CallOptions, Omit<CreateOptions, 'idempotencyKey' | 'gender'> {
  /**
   * Identifies the batch: the same rows with the same key, in any process, resume it where it broke, or return the first
   * answer again. 1 to 255 printable ASCII characters.
   */
  readonly idempotencyKey: string;
  /** What becomes of the valid rows when others are not: `accept_valid`, the default, or `all_or_nothing`. */
  readonly mode?: BatchMode | undefined;
  /** A name for people, printable ASCII; no patient's data. */
  readonly label?: string | undefined;
  /** Where the results of rows without a `callback_url` are posted. */
  readonly callbackUrl?: string | undefined;
}

/** The options of `batches.create` for the bytes of a file. */
export interface BatchFileOptions extends BatchOptions {
  /** What the bytes are: `csv` with a header row, or `ndjson`. */
  readonly format: RowsFormat;
}

/** The options of an operation that answers lines. */
export interface TableOptions extends CallOptions {
  readonly format?: 'csv' | undefined;
}

/** {@link BatchOptions} or {@link BatchFileOptions}. */
export type RowsOptions = BatchOptions & Partial<BatchFileOptions>;

/**
 * The service's operations over REST, grouped and named as in the router: `client.requests.get({ request_id })`. Every
 * method rejects with a class of `InsuranceVerificationError`. A group with a `list` also has a `listAll`, which yields
 * the items of all pages one at a time; `limit` is the page size.
 *
 * It retries the operations that {@link ROUTES} marks as repeatable. A create is stored once: all attempts share
 * one Idempotency-Key. `batches.create` is sent once, since rows that were read cannot be read again: call it again with
 * the same rows and key.
 */
export type RestClient<P extends PayerNames = PayerNames> = {
  readonly [Group in keyof Operations<P>]: Methods<Operations<P>[Group], Group> &
    ListAll<Operations<P>[Group]>;
};

type Methods<Procedures, Group extends string> = {
  readonly [Name in keyof Procedures]: Procedures[Name] extends Procedure<infer Input, infer Output>
    ? MethodOf<FactOf<`${Group}.${Name & string}`>, Input, Output> &
        (`${Group}.${Name & string}` extends 'batches.results' ? ReadTable<Input> : unknown)
    : never;
};

type FactOf<Name extends string> = Name extends keyof typeof ROUTES ? (typeof ROUTES)[Name] : never;

type MethodOf<Fact, Input, Output> = Fact extends { readonly takesRows: true }
  ? SendRows<Input, Output>
  : Fact extends { readonly answersLines: true }
    ? ReadLines<Input, Output>
    : Method<Input, Output, OptionsOf<Fact>>;

type SendRows<Input, Output> = Input extends { readonly rows: readonly (infer Row)[] }
  ? {
      /**
       * Streams the rows, none before the service took those before it: memory does not grow with their number. It is
       * sent once. If it fails, call it again with the same rows and key: rows that are stored are not stored again.
       */
      (rows: Iterable<Row> | AsyncIterable<Row>, options: BatchOptions): Promise<Output>;
      /** The same with a file, whole or such as `createReadStream('visits.csv')`, sent as it is. */
      (
        file: AsyncIterable<Uint8Array | string> | Uint8Array | string,
        options: BatchFileOptions,
      ): Promise<Output>;
    }
  : never;

/**
 * Yields one item at a time as the answer arrives, and throws a `ConnectionError` if it was cut off: continue with the
 * last item's `row` as `after`; of `batches.errors` the row before it, since faults of the last may be missing.
 */
type ReadLines<Input, Output> = Output extends { readonly items: readonly (infer Item)[] }
  ? (input: Omit<Input, 'limit'>, options?: CallOptions) => AsyncGenerator<Item, void, void>
  : never;

/** Yields the lines of a CSV file, a header row first, each with its line feed. */
type ReadTable<Input> = (
  input: Omit<Input, 'limit'>,
  options: CallOptions & { readonly format: 'csv' },
) => AsyncGenerator<string, void, void>;

type Procedure<Input, Output> = Query<Input, Output> | Mutation<Input, Output>;

/** An input without required members is optional; an operation without an input takes only the options. */
type Method<Input, Output, Options> = [Input] extends [void]
  ? (options?: Options) => Promise<Output>
  : Partial<Input> extends Input
    ? (input?: Input, options?: Options) => Promise<Output>
    : (input: Input, options?: Options) => Promise<Output>;

type OptionsOf<Fact> = Fact extends { readonly takesIdempotencyKey: true } ? CreateOptions : CallOptions;

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
