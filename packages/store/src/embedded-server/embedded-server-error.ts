/** Why the embedded server could not be started; `message` says it in full, with the way out. */
export type EmbeddedServerErrorCode =
  /** No PostgreSQL binaries are published for this operating system and processor. */
  | 'unsupported_platform'
  /** The platform package or a program in it is not installed. */
  | 'binaries_missing'
  /** Another living program runs the server on the same data directory. */
  | 'already_owned'
  /** The data directory cannot be created, written, or belongs to someone else. */
  | 'data_dir_unusable'
  /** The cluster there was made by another major version of PostgreSQL. */
  | 'other_version'
  /** `initdb` failed. */
  | 'initialise_failed'
  /** `postgres` ended before it was ready, or was not ready in time. */
  | 'start_failed'
  /** There is nothing to back up, something stands where a copy should go, or a backup is not whole. */
  | 'backup_refused';

export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
  readonly code: EmbeddedServerErrorCode;
  /** With `already_owned`: the process id of the owner, null when it has not yet written it down. */
  readonly ownerPid: number | null;

  constructor(
    code: EmbeddedServerErrorCode,
    message: string,
    options: { cause?: unknown; ownerPid?: number | null } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.ownerPid = options.ownerPid ?? null;
  }
}

/** The end of every message that leaves the reader without an embedded server. */
export const OWN_SERVER_HINT =
  'To use a PostgreSQL of your own instead, set DATABASE_URL, for example postgres://user:password@127.0.0.1:5432/insurance_verification';
