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
