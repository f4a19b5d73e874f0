import type { WorkPayer } from '@insurance-verification/schema';
import type { ConfiguredPayer } from '../../config/payers.ts';

/** A payer as a verifier needs it. */
export function toWorkPayer({
  name,
  phoneNumber,
  menuPath,
  menuPathChangedOn,
  phones,
  timeZone,
  route,
  portalUrl,
  notes,
  sheet,
}: ConfiguredPayer): WorkPayer {
  return {
    name,
    phone_number: phoneNumber,
    menu_path: menuPath,
    menu_path_changed_on: menuPathChangedOn,
    phones: [...phones],
    opens_at: route.phoneHours?.opensAt(new Date())?.toISOString() ?? null,
    time_zone: timeZone,
    portal_url: portalUrl,
    notes,
    sheet,
  };
}
