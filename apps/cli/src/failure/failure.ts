/** A command could not do its work; the message addresses the person who ran it. */
export class CommandFailedError extends Error {
  override readonly name = 'CommandFailedError';
}

/** A command got arguments, options or an environment that it cannot use. */
export class WrongUsageError extends Error {
  override readonly name = 'WrongUsageError';
}

/** What was asked for holds as far as it can be known, and something is open: exit code 3. */
export class OpenEndedError extends Error {
  override readonly name = 'OpenEndedError';
}
