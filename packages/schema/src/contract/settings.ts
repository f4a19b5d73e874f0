import { Scope } from '../access/scope.ts';
import { SetSettings, Settings } from '../staff/settings.ts';
import { operation } from './operation.ts';

/** The operations of `settings`. */
export const settingsOperations = () => ({
  get: operation('settings.get', {
    get: '/settings',
    scopes: Scope.options,
    audience: [],
    forPeople: true,
    tag: 'Access',
    summary: "Read one's settings",
    description:
      'Tells how the person who asks has set up the console: zone, density and keys. They hold in every browser.',
    limit: 'reads',
    output: Settings,
    answers: {
      default: { zone: null, density: 'standard', letter_keys: true, keys: {} },
      chosen: { zone: 'America/Chicago', density: 'compact', letter_keys: true, keys: { next: 'w' } },
    },
  }),

  set: operation('settings.set', {
    post: '/settings',
    scopes: Scope.options,
    audience: [],
    repeatable: true,
    forPeople: true,
    tag: 'Access',
    summary: "Change one's settings",
    description:
      'Changes how the console is set up for the person who asks, in every browser. What the body does not name stays as it is; `keys` takes the place of all keys chosen before, and an empty one brings back the default.',
    ofCaller: true,
    changes: [],
    input: SetSettings,
    output: Settings,
    example: { zone: 'America/Chicago', keys: { next: 'w' } },
    answers: {
      set: { zone: 'America/Chicago', density: 'standard', letter_keys: true, keys: { next: 'w' } },
    },
  }),
});
