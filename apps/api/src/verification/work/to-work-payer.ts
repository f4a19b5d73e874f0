import type { WorkPayer } from '@insurance-verification/schema';
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

/** The same with when its phone is answered, as far ahead as a call-back may be. */
export function withOpenTimes(payer: ConfiguredPayer): WorkPayer {
  const { phoneHours } = payer.route;
  if (phoneHours === null) return toWorkPayer(payer);
  const now = new Date();
  const until = new Date(now.getTime() + CALL_BACK_DAYS * 86_400_000);
  return {
    ...toWorkPayer(payer),
    open_times: phoneHours
      .openTimes(now, until)
      .map((time) => ({ from: time.from.toISOString(), until: time.until.toISOString() })),
  };
}
