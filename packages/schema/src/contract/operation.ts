import * as z from 'zod';
import type { LimitPolicy } from '../access/account.ts';
import type { Scope } from '../access/scope.ts';
import type { ProblemCode } from '../problem/problem-registry.ts';
import type { Hint } from '../staff.ts';

/** Who reads an operation in a document of their own. The whole document has every operation. */
export type OperationAudience = 'provider' | 'verifier' | 'operator';

/** The section of the document that an operation is in. */
export type OperationTag = 'Intake' | 'Reports' | 'Work' | 'Output' | 'Delivery' | 'Access' | 'Privacy';

/** What the console shows that a call may have changed. `session`: a session ended, or a person's roles changed. */
export type Change = Hint | 'session';

/** The properties of an operation that do not depend on its models. */
export interface OperationFact {
  /** The HTTP method of its REST route. A GET is a query over tRPC, a POST a mutation. */
  readonly method: 'GET' | 'POST';
  /** The path of its REST route. The fields of `params` are in braces. */
  readonly path: `/${string}`;
  /** Any one of these suffices for a key. Empty means that no key is needed. */
  readonly scopes: readonly Scope[];
  /** Whose documents have it. Empty where only a person who is signed in may call it. */
  readonly audience: readonly OperationAudience[];
  /** Whether the call is idempotent, so that a client may repeat it when no answer arrived. A read always is. */
  readonly repeatable: boolean;
  /** Whether the call accepts the header `Idempotency-Key`. */
  readonly takesIdempotencyKey?: true;
  /** Whether the call accepts the headers `Service-Date`, `Needed-By` and `Gender`. */
  readonly takesAskedWhen?: true;
  /** Whether its REST body is a file of rows, NDJSON or CSV, in the place of the input's `rows`; the rest is its query. */
  readonly takesRows?: true;
  /** Whether REST answers all pages of its list at once, an item a line, and a last line that says so. */
  readonly answersLines?: true;
  /** Whether REST answers with an `ETag`, and 304 for one that still holds. */
  readonly isTagged?: true;
  /** The status of a successful answer over REST; 200 when absent. */
  readonly status?: 202;
  /**
   * Whether a person who calls it must have signed in within 15 minutes: it grants or ends access, or delivers what the
   * rules held back.
   */
  readonly asksFreshSignIn?: true;
  /** Whether it is about a person who is signed in: no key may call it, whatever its scopes. */
  readonly forPeople?: true;
  /**
   * A POST that only reads, because its input must not be in an address, or because each call counts. Callers who may
   * change nothing may call it.
   */
  readonly onlyReads?: true;
  /**
   * A read whose every call leaves its line in the audit. Any other read that a person's page repeats within 15
   * minutes leaves a line only for requests that were not in it before.
   */
  readonly recordsEachCall?: true;
  /** Whether `verify` reaches only the caller's own work here: what it leases, or worked on within a day. */
  readonly ownWork?: true;
  /** Whether it is about the caller itself: then it counts as a read, so that read-only callers may call it too. */
  readonly ofCaller?: true;
  /** The policy that counts its calls, for callers with a key. */
  readonly limit?: LimitPolicy;
  /** For an operation without scopes: the policy that counts callers without this scope. */
  readonly anonymous?: { readonly unlessScope: Scope; readonly limit: 'anonymous-output' };
  /** Whether it reports unknown members of the input to test accounts. */
  readonly reportsIgnoredMembers?: true;
  /** The problems it can answer in addition to those of every operation. */
  readonly problems?: readonly ProblemCode[];
}

interface Texts {
  /** One line, imperative. */
  readonly summary: string;
  /** CommonMark: what it does, returns, and when it answers what. */
  readonly description: string;
  readonly tag: OperationTag;
  /** A valid body or query. Without one, trying the operation in the document starts with empty strings. */
  readonly example?: unknown;
  /** Several bodies to choose from, by name, in the place of `example` in the document. */
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

/** One operation: its route, its rules, its models and its texts. */
export interface Operation<
  Name extends string = string,
  Method extends 'GET' | 'POST' = 'GET' | 'POST',
  Scopes extends readonly Scope[] = readonly Scope[],
  Input extends z.ZodObject | undefined = z.ZodObject | undefined,
  Output extends z.ZodType = z.ZodType,
>
  extends OperationFact, Texts {
  /** The tRPC procedure's name, the `operationId` of the document, the `operation` of the audit. Names never change. */
  readonly name: Name;
  readonly method: Method;
  readonly scopes: Scopes;
  /** Path, query and body as one object; undefined where the operation takes no input, which refuses every member. */
  readonly input: Input;
  /** The REST body where it is not the whole input, because the path holds part of it. */
  readonly body: z.ZodObject | undefined;
  readonly output: Output;
  /** What consoles show that a successful call may have changed. A GET changes nothing. */
  readonly changes: readonly Change[];
  /** Example answers of a successful call, named by what they show. */
  readonly answers: Readonly<Record<string, unknown>>;
}

type Declared<
  Scopes,
  Params extends z.ZodObject,
  Input extends z.ZodObject | undefined,
  Output extends z.ZodType,
> = Texts &
  Omit<OperationFact, 'method' | 'path' | 'scopes' | 'repeatable'> & {
    readonly scopes: Scopes;
    /** The fields in the path. */
    readonly params?: Params;
    /** The query of a GET, the body of a POST. */
    readonly input?: Input;
    readonly output: Output;
    readonly answers: Readonly<Record<string, z.output<Output>>>;
  };

interface Read {
  readonly get: OperationFact['path'];
}

interface Write {
  readonly post: OperationFact['path'];
  readonly repeatable: boolean;
  /** Empty where only the caller's own page shows it. */
  readonly changes: readonly Change[];
}

type Whole<Params extends z.ZodObject, Input extends z.ZodObject | undefined> = Input extends z.ZodObject
  ? z.ZodObject<Params['shape'] & Input['shape']>
  : keyof Params['shape'] extends never
    ? undefined
    : Params;

type NoParams = z.ZodObject<{}>;

/** Declares an operation that reads: a GET, and a query over tRPC. */
export function operation<
  const Name extends string,
  const Scopes extends readonly Scope[],
  Output extends z.ZodType,
  Params extends z.ZodObject = NoParams,
  Input extends z.ZodObject | undefined = undefined,
>(
  name: Name,
  declared: Read & Declared<Scopes, Params, Input, Output>,
): Operation<Name, 'GET', Scopes, Whole<Params, Input>, Output>;
/** Declares an operation that may change something: a POST, and a mutation over tRPC. */
export function operation<
  const Name extends string,
  const Scopes extends readonly Scope[],
  Output extends z.ZodType,
  Params extends z.ZodObject = NoParams,
  Input extends z.ZodObject | undefined = undefined,
>(
  name: Name,
  declared: Write & Declared<Scopes, Params, Input, Output>,
): Operation<Name, 'POST', Scopes, Whole<Params, Input>, Output>;
export function operation(
  name: string,
  declared: Partial<Read & Write> &
    Declared<readonly Scope[], z.ZodObject, z.ZodObject | undefined, z.ZodType>,
): Operation {
  const { get, post, params, input, repeatable = true, changes = [], ...rest } = declared;
  return {
    ...rest,
    name,
    method: get === undefined ? 'POST' : 'GET',
    path: (get ?? post) as OperationFact['path'],
    repeatable,
    changes,
    input: params && input ? z.object({ ...params.shape, ...input.shape }) : (input ?? params),
    body: params && input,
  };
}
