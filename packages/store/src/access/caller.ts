/** Who asks: recorded in `access_log` with every operation, null for a caller without a key. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
}
