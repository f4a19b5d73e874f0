import type { Caller } from '../access/caller.ts';

/** Seals are over the lines of all accounts, so a test account's auditor sees none of them, nor how many there are. */
export const reachesSeals = ({ acrossAccounts, mode }: Caller): boolean =>
  acrossAccounts === true && mode === 'live';
