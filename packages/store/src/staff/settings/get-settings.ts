import type { Settings } from '@insurance-verification/schema';
import type { Caller } from '../../access/caller.ts';
import type { Store } from '../../open-store.ts';

/** How the console is set up for whoever has changed nothing. */
const DEFAULTS: Settings = { zone: null, density: 'standard', letter_keys: true, keys: {} };

/** How the caller has set up the console. */
export async function getSettings({ db }: Store, caller: Caller): Promise<Settings> {
  const row = await db
    .selectFrom('staff_settings')
    .select('settings')
    .where('staff_id', '=', caller.keyId)
    .executeTakeFirst();
  return withDefaults(row?.settings);
}

export const withDefaults = (chosen: Partial<Settings> = {}): Settings => ({ ...DEFAULTS, ...chosen });
