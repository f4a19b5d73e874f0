/** Why the service cannot start, in words for its operator: the variable, what is wrong, what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
