import type { BlindIndexer } from '../encryption/blind-index.ts';
import type { Vault } from '../encryption/vault.ts';

/**
 * A member id as it is compared: without white space and in capitals. An inquiry over X12 drops the white space too,
 * and payers ignore case.
 */
export function normaliseMemberId(memberId: string): string {
  return memberId.replaceAll(/\s/g, '').toUpperCase();
}

/** Of a request whose member id is blank. */
export const NO_MEMBER = 0n;

/** Loads the keys of accounts, for {@link memberIndex}. */
export function memberIndexer(vault: Vault, accountIds: readonly string[]): Promise<BlindIndexer> {
  return vault.blindIndexerFor('request.member_index', accountIds);
}

/** The value of `request.member_index`. */
export function memberIndex(index: BlindIndexer, accountId: string, memberId: string): bigint {
  const text = normaliseMemberId(memberId);
  return text === '' ? NO_MEMBER : index(accountId, text);
}

/** The values of `request.member_index` that a member id has in these accounts. */
export async function memberNumbers(
  vault: Vault,
  accountIds: readonly string[],
  memberId: string,
): Promise<bigint[]> {
  if (normaliseMemberId(memberId) === '') return [];
  const index = await memberIndexer(vault, accountIds);
  return accountIds.map((accountId) => memberIndex(index, accountId, memberId));
}

/** An NPI as it is compared: without white space. */
export function normaliseNpi(npi: string): string {
  return npi.replaceAll(/\s/g, '');
}

/** Loads the keys of accounts, for {@link npiIndex}. */
export function npiIndexer(vault: Vault, accountIds: readonly string[]): Promise<BlindIndexer> {
  return vault.blindIndexerFor('request.npi_index', accountIds);
}

/** The value of `request.npi_index`; 0 for a blank one. */
export function npiIndex(index: BlindIndexer, accountId: string, npi: string): bigint {
  const text = normaliseNpi(npi);
  return text === '' ? 0n : index(accountId, text);
}

/** The values of `request.npi_index` that an NPI has in these accounts. */
export async function npiNumbers(
  vault: Vault,
  accountIds: readonly string[],
  npi: string,
): Promise<bigint[]> {
  if (normaliseNpi(npi) === '') return [];
  const index = await npiIndexer(vault, accountIds);
  return accountIds.map((accountId) => npiIndex(index, accountId, npi));
}
