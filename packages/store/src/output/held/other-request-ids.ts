import type { ResponseModel } from '@insurance-verification/schema';
import { isIssuedId } from '../../issued-id.ts';

/**
 * The value of `held_output.other_request_ids`: the ids in issued form that an output and its entries name, besides the
 * one that its row has. Null for none.
 * @param known of its row, `request_id` or `named_request_id`.
 */
export function otherRequestIds(
  { request, insurance_data: entries }: ResponseModel,
  known: string | null,
): string[] | null {
  const named = [request.request_id, ...entries.map((entry) => entry.request_id)];
  const others = new Set(named.filter((id) => id != null && id !== known && isIssuedId('req', id)));
  return others.size === 0 ? null : ([...others] as string[]);
}
