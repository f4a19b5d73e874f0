import type { FieldProvenance } from '@insurance-verification/schema';
import type { Vault } from '../encryption/vault.ts';
import type { FoundBenefits } from './stored-benefits.ts';

/** What a verifier reports about an attempt besides its result. Sealed: it may name the patient. */
export interface Evidence {
  readonly note?: string | null | undefined;
  readonly reference?: string | null | undefined;
  readonly provenance?: readonly FieldProvenance[] | undefined;
  /** The verifier said that it is the patient, where the data did not show it. */
  readonly samePatientConfirmed?: boolean | undefined;
}

/**
 * Seals evidence for the attempt under way of a locked, leased request. Null when there is nothing to store.
 */
export async function sealEvidence(
  vault: Vault,
  request: { readonly id: string; readonly account_id: string; readonly attempt_number: number },
  { note, reference, provenance, samePatientConfirmed }: Evidence,
): Promise<Buffer | null> {
  const { id, account_id: accountId, attempt_number: number } = request;
  const kept = {
    ...(note !== null && note !== undefined && { note }),
    ...(reference !== null && reference !== undefined && { reference }),
    ...(provenance !== undefined && provenance.length > 0 && { provenance }),
    ...(samePatientConfirmed === true && { samePatientConfirmed }),
  };
  if (Object.keys(kept).length === 0) return null;
  return vault.seal({ accountId }, placeOf(id, number), JSON.stringify(kept));
}

/** With the words that benefits were read from, or heard in. */
export function withQuotes(
  evidence: Evidence,
  benefits: FoundBenefits | undefined,
  channel: string,
): Evidence {
  const quotes = (benefits?.coverages ?? []).flatMap(({ rows }, entry) =>
    rows.flatMap((row) => {
      const quote = 'submitted' in row ? row.submitted.quote : null;
      return quote ? [{ field: `/${entry}/benefits/b${row.row}`, source: channel, quote }] : [];
    }),
  );
  if (quotes.length === 0) return evidence;
  return { ...evidence, provenance: [...(evidence.provenance ?? []), ...quotes] };
}

/** `accountId` is the request's. */
export async function openEvidence(
  vault: Vault,
  accountId: string,
  row: { readonly request_id: string; readonly number: number; readonly evidence: Buffer | null },
): Promise<Evidence> {
  if (row.evidence === null) return {};
  return vault.openJson<Evidence>({ accountId }, placeOf(row.request_id, row.number), row.evidence);
}

function placeOf(requestId: string, number: number): string {
  return `verification_attempt.evidence:${requestId}.${number}`;
}
