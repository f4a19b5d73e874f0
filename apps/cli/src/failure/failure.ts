/** A command could not do what it was asked for; the message is for the person who asked. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}

/** A command was asked for in a way it cannot follow, its environment included. */
export class WrongUsageError extends Error {
  override readonly name = 'WrongUsageError';
}
