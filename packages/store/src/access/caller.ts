/** Who asks, and how far it reaches (see `within`): recorded in `access_log` with every operation. */
export interface Caller {
  readonly keyId: string;
  readonly accountId: string;
  /** Its account's. A test account's caller never reaches what is live, whatever it may do. */
  readonly mode: 'live' | 'test';
  /** It acts on every account that its mode reaches; absent, on its own account alone. */
  readonly acrossAccounts?: boolean;
}
