import { aRouteFile } from './work.ts';

export const PORTAL = 'agent_web_portal';
export const PHONE = 'manual_phone_call';

/** A `PAYERS_FILE` whose payers are looked up in their portal, then called, with the facts for both. */
export function portalThenPhone(): Record<string, string> {
  const facts = {
    phone_number: '+1 555 0100',
    menu_path: '4, then 2',
    portal_url: 'https://portal.example/',
    notes: 'Have the NPI.',
  };
  return aRouteFile([PORTAL, PHONE], facts);
}
