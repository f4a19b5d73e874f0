import { getSettings, setSettings } from '@insurance-verification/store';
import type { Handlers } from '../../procedure/procedure.ts';

/** The settings of the person who calls. */
export const settings: Handlers<'settings'> = {
  get: async ({ ctx: { app, caller } }) => getSettings(app.store, caller),

  set: async ({ ctx: { app, caller }, input }) => setSettings(app.store, { caller, changes: input }),
};
