/** Why the embedded server could not start; `message` explains it and the remedy. */
export type EmbeddedServerErrorCode =
  /** No PostgreSQL binaries are published for this operating system and processor. */
  | 'unsupported_platform'
  /** The platform package or a program in it is not installed. */
  | 'binaries_missing'
  /** Another running program has a server on the same data directory. */
  | 'already_owned'
  /** The data directory cannot be created, written, or belongs to someone else. */
  | 'data_dir_unusable'
  /** The cluster was made by another major version of PostgreSQL. */
  | 'other_version'
  /** The cluster has the tables of another build, which knows no way to this one's. */
  | 'other_schema'
  /** `initdb` failed. */
  | 'initialise_failed'
  /** `postgres` ended before it was ready, or was not ready in time. */
  | 'start_failed'
  /** There is nothing to back up, the target already exists, or the backup is incomplete. */
  | 'backup_refused';

export class EmbeddedServerError extends Error {
  override readonly name = 'EmbeddedServerError';
  readonly code: EmbeddedServerErrorCode;
  /** With `already_owned`: the owner's process id; null when it has not been written yet. */
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

/** The end of every message that leaves the user without an embedded server. */
export const OWN_SERVER_HINT =
  'To use a PostgreSQL of your own instead, set DATABASE_URL, for example postgres://user:password@127.0.0.1:5432/insurance_verification';
