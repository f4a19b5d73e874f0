import type { WorkPayer } from '@insurance-verification/schema';
import type { ConfiguredPayer } from '../../config/payers.ts';

/** A payer as a verifier needs it. */
export function toWorkPayer({
  name,
  phoneNumber,
  menuPath,
  portalUrl,
  notes,
  sheet,
}: ConfiguredPayer): WorkPayer {
  return { name, phone_number: phoneNumber, menu_path: menuPath, portal_url: portalUrl, notes, sheet };
}
