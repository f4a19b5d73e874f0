/** The database answers but takes no writes. It passes when a standby is promoted or connections lead elsewhere. */
export class DatabaseNotWritableError extends Error {
  override readonly name = 'DatabaseNotWritableError';
  /** `25006`, PostgreSQL's own code: a standby, or read-only. `commits_hang`: commits do not finish. */
  readonly code: '25006' | 'commits_hang';

  constructor(code: DatabaseNotWritableError['code']) {
    super(
      code === '25006'
        ? 'The database cannot be written: it is a standby, or set to be read-only.'
        : 'The database does not end its commits.',
    );
    this.code = code;
  }
}
