import type { RequestModel } from '@insurance-verification/schema';
import { openOrNull } from '../encryption/open-or-null.ts';
import type { Vault } from '../encryption/vault.ts';
import { openRequestModel, type RequestModelRow } from '../intake/request-row.ts';

/** The rows of a page that decrypt, each with its request. A row that does not costs its own place, not the page. */
export interface ReadableRows<Row> {
  readonly readable: readonly { readonly row: Row; readonly request: RequestModel }[];
  /** The omitted rows. Empty unless rows are corrupt. */
  readonly unreadableIds: readonly string[];
}

export async function openReadable<Row extends RequestModelRow>(
  vault: Vault,
  rows: readonly Row[],
): Promise<ReadableRows<Row>> {
  const opened = await Promise.all(
    rows.map(async (row) => ({ row, request: await openOrNull(openRequestModel(vault, row)) })),
  );
  return {
    readable: opened.flatMap(({ row, request }) => (request ? [{ row, request }] : [])),
    unreadableIds: opened.filter(({ request }) => request === null).map(({ row }) => row.id),
  };
}
