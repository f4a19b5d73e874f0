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
