import type { OpenTime, WorkPayer } from '@insurance-verification/schema';
import { CALL_BACK_DAYS } from '@insurance-verification/store';
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

/** When a payer's phone is answered, as far ahead as a call-back may be; empty for one that always is. */
export function openTimesOf({ name, route: { phoneHours } }: ConfiguredPayer): OpenTime[] {
  const now = new Date();
  const until = new Date(now.getTime() + CALL_BACK_DAYS * 86_400_000);
  return (phoneHours?.openTimes(now, until) ?? []).map((time) => ({
    payer: name,
    from: time.from.toISOString(),
    until: time.until.toISOString(),
  }));
}
