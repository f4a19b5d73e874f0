import { Settings } from '@insurance-verification/schema';
import { getSettings as getStoredSettings } from '@insurance-verification/store';
import { query } from '../../procedure/trpc.ts';

/** How the person has set up the console. */
export const getSettings = () =>
  query({
    meta: {
      operation: 'settings.get',
      openapi: {
        summary: "Read one's settings",
        description:
          'Tells how the person who asks has set up the console: zone, density and keys. They hold in every browser.',
        tags: ['Access'],
      },
      limit: 'reads',
      answers: {
        default: { zone: null, density: 'standard', letter_keys: true, keys: {} },
        chosen: { zone: 'America/Chicago', density: 'compact', letter_keys: true, keys: { next: 'w' } },
      },
    },
    output: Settings,
    handler: async ({ ctx: { app, caller } }) => getStoredSettings(app.store, caller),
  });
