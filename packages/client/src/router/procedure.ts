/** How an operation is called over REST. */
export interface Route {
  /** A GET is a query over tRPC, a POST a mutation. */
  readonly method: 'GET' | 'POST';
  /** Input fields in braces are part of it; the others go into a GET's query or a POST's body. */
  readonly path: `/${string}`;
  /** Whether the call may be repeated when no answer arrived. */
  readonly repeatable: boolean;
  /** Whether the call accepts the header `Idempotency-Key`. */
  readonly takesIdempotencyKey?: true;
  /** Whether the call accepts the headers `Service-Date`, `Needed-By` and `Gender`. */
  readonly takesAskedWhen?: true;
  /** Whether the body is a file of rows, and the rest of the input is in the query. */
  readonly takesRows?: true;
  /** Whether the answer has an item a line, and a last line that says so, in the place of a page. */
  readonly answersLines?: true;
  /** Whether the operation has no input. */
  readonly takesNoInput?: true;
}

/** An input as a call gives it: without required members it may be left out. */
export type Given<Input> = Partial<Input> extends Input ? Input | void : Input;

/** An operation that only reads. */
export interface Query<Input, Output> {
  readonly type: 'query';
  readonly input: Input;
  readonly output: Output;
}

/** An operation that may change something. */
export interface Mutation<Input, Output> {
  readonly type: 'mutation';
  readonly input: Input;
  readonly output: Output;
}
