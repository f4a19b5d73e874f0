import type { Caller } from '../../access/caller.ts';

/** Whose facts a caller reads: its own account's, or those of all accounts of its mode. */
export const ownScope = ({ accountId, mode, acrossAccounts }: Caller): string =>
  acrossAccounts ? mode : accountId;
