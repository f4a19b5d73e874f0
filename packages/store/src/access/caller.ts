/** Who asks, and how far it reaches (see `within`): recorded in `access_log` with every operation. */
export interface Caller {
  /** Its key's id, `key_…`; of a person who is signed in the person's, `stf_…`. */
  readonly keyId: string;
  readonly accountId: string;
  /** Its account's. A test account's caller never reaches what is live, whatever it may do. */
  readonly mode: 'live' | 'test';
  /** It acts on every account that its mode reaches; absent, on its own account alone. */
  readonly acrossAccounts?: boolean;
  /** Requests of any account that it leases, or worked on within a day: besides those it reaches else, or alone. */
  readonly ownWork?: 'besides' | 'alone';
}
