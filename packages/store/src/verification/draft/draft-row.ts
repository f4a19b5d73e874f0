import type { Draft } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Vault } from '../../encryption/vault.ts';

export interface DraftRow {
  readonly request_id: string;
  readonly written_by: string;
  readonly revision: string;
  readonly body: Buffer;
  readonly saved_at: Date;
  /** A JSON string; null for a key. */
  readonly name: string | null;
}

/** The name of a draft's writer, where a person wrote it. */
export const writersName = sql<string | null>`(select name from staff where staff.id = draft.written_by)`;

/** What a draft's seal is bound to: copied to another request, writer or revision, it does not open. */
export function draftPlace(row: Pick<DraftRow, 'request_id' | 'written_by' | 'revision'>): string {
  return `draft.body:${row.request_id}.${row.written_by}.${row.revision}`;
}

/** Converts a row to its API form. `accountId` is its request's. */
export async function openDraft(vault: Vault, accountId: string, row: DraftRow): Promise<Draft> {
  return {
    request_id: row.request_id,
    revision: Number(row.revision),
    saved_at: row.saved_at.toISOString(),
    written_by: row.written_by,
    written_by_name: row.name === null ? null : (JSON.parse(row.name) as string),
    content: await vault.openJson<string>({ accountId }, draftPlace(row), row.body),
  };
}
