import { SetSettings, Settings } from '@insurance-verification/schema';
import { setSettings as setStoredSettings } from '@insurance-verification/store';
import { mutation } from '../../procedure/trpc.ts';

/** Changes how the person has set up the console. */
export const setSettings = () =>
  mutation({
    meta: {
      operation: 'settings.set',
      openapi: {
        summary: "Change one's settings",
        description:
          'Changes how the console is set up for the person who asks, in every browser. What the body does not name stays as it is; `keys` takes the place of all keys chosen before, and an empty one brings back the default.',
        tags: ['Access'],
      },
      changes: [],
      ofCaller: true,
      example: { zone: 'America/Chicago', keys: { next: 'w' } },
      answers: {
        set: { zone: 'America/Chicago', density: 'standard', letter_keys: true, keys: { next: 'w' } },
      },
    },
    input: SetSettings,
    output: Settings,
    handler: async ({ ctx: { app, caller }, input }) =>
      setStoredSettings(app.store, { caller, changes: input }),
  });
