import { sql } from 'kysely';
import { openOrNull } from '../../encryption/open-or-null.ts';
import type { Vault } from '../../encryption/vault.ts';
import { normaliseMemberId, normaliseNpi } from '../../intake/member-index.ts';
import { openRequestInfo } from '../../intake/request-row.ts';
import type { Store } from '../../open-store.ts';
import { PAGE_BYTES_MAX } from '../../page.ts';

interface SealedInput {
  readonly id: string;
  readonly account_id: string;
  readonly input: Buffer;
}

/** `broken`: it does not open, so nobody can tell. */
type Match = 'same' | 'other' | 'broken';

/** What is looked up by numbers. */
interface Wanted {
  readonly memberId?: string | undefined;
  readonly npi?: string | undefined;
}

/**
 * Opens what was found by its number and compares the member ids and NPIs: two may share a number. Reads 2 MB at a time,
 * since a request may have a megabyte.
 */
export async function matchNumbered(
  { db, vault }: Store,
  wanted: Wanted,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, Match>> {
  const matches = new Map<string, Match>();
  for (let rest = requestIds; rest.length > 0; rest = rest.filter((id) => !matches.has(id))) {
    const { rows } = await sql<SealedInput>`
      select id, account_id, input from (
        select id, account_id, input, sum(octet_length(input)) over (order by id) - octet_length(input) as bytes_before
        from request where id = any (${rest})
      ) as sized where bytes_before < ${PAGE_BYTES_MAX}`.execute(db);
    for (const row of rows) matches.set(row.id, await matchOne(vault, wanted, row));
    for (const id of rows.length === 0 ? rest : []) matches.set(id, 'other'); // gone meanwhile
  }
  return matches;
}

async function matchOne(vault: Vault, { memberId, npi }: Wanted, row: SealedInput): Promise<Match> {
  const input = await openOrNull(openRequestInfo(vault, row));
  if (!input) return 'broken';
  const { patient_info: patient, provider_info: provider } = input;
  const isSame =
    (memberId === undefined || normaliseMemberId(patient.subscriber_id) === normaliseMemberId(memberId)) &&
    (npi === undefined || normaliseNpi(provider.npi) === normaliseNpi(npi));
  return isSame ? 'same' : 'other';
}
