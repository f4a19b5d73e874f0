import type { BlindIndexer } from '../encryption/blind-index.ts';
import type { Vault } from '../encryption/vault.ts';

/**
 * A member id as it is compared: without white space and in capitals. An inquiry over X12 drops the white space as well,
 * and payers do not distinguish small letters from capitals.
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

/** Every value of `request.member_index` that a member id may have in these accounts. */
export async function memberNumbers(
  vault: Vault,
  accountIds: readonly string[],
  memberId: string,
): Promise<bigint[]> {
  const text = normaliseMemberId(memberId);
  return text === '' ? [] : vault.blindNumbersOf('request.member_index', accountIds, text);
}
