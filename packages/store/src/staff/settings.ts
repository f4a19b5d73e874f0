import type { SetSettings, Settings } from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../access/caller.ts';
import { recordAccess } from '../access/record-access.ts';
import type { Store } from '../open-store.ts';

/** The console's settings for a person who has changed nothing. */
const DEFAULTS: Settings = { zone: null, density: 'standard', letter_keys: true };

/** How the caller has set up the console. */
export async function getSettings({ db }: Store, caller: Caller): Promise<Settings> {
  const row = await db
    .selectFrom('staff_settings')
    .select('settings')
    .where('staff_id', '=', caller.keyId)
    .executeTakeFirst();
  return withDefaults(row?.settings);
}

const withDefaults = (chosen: Partial<Settings> = {}): Settings => ({ ...DEFAULTS, ...chosen });

/** Changes how the caller has set up the console. What is not named stays, so that two tabs do not undo each other. */
export async function setSettings(
  { db }: Store,
  { caller, changes }: { readonly caller: Caller; readonly changes: SetSettings },
): Promise<Settings> {
  return db.transaction().execute(async (trx) => {
    const { settings } = await trx
      .insertInto('staff_settings')
      .values({ staff_id: caller.keyId, settings: JSON.stringify(changes) })
      .onConflict((conflict) =>
        conflict
          .column('staff_id')
          .doUpdateSet({ settings: sql`staff_settings.settings || excluded.settings` }),
      )
      .returning('settings')
      .executeTakeFirstOrThrow();
    await recordAccess(trx, { caller, operation: 'settings.set' });
    return withDefaults(settings);
  });
}
