import * as z from 'zod';
import { Scope } from '../access/scope.ts';
import { isTimeZone } from '../field/date.ts';
import { enumeration, model } from '../model.ts';
import { operation } from './operation.ts';

/** The height of the rows of lists. */
export const Density = enumeration('Density', 'The height of the rows of lists.', [
  'compact',
  'standard',
  'roomy',
]);
export type Density = z.infer<typeof Density>;

const shape = {
  zone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'Input should be an IANA time zone, for example America/New_York')
    .nullable()
    .meta({
      description: "The IANA time zone that times are shown in; null: that of the person's computer.",
    }),
  density: Density.meta({ description: 'The height of the rows of lists.' }),
  letter_keys: z.boolean().meta({
    description: 'Whether keys of one letter do anything; those with Ctrl always do (WCAG 2.1.4).',
  }),
};

/** How a person has set up the console (`settings.get`). */
export const Settings = model('Settings', 'How a person has set up the console.', shape);
export type Settings = z.infer<typeof Settings>;

/** The body that changes settings (`settings.set`). */
export const SetSettings = model('SetSettings', 'Changes settings; what is absent stays as it is.', {
  zone: shape.zone.optional().meta(shape.zone.meta() ?? {}),
  density: shape.density.optional().meta(shape.density.meta() ?? {}),
  letter_keys: shape.letter_keys.optional().meta(shape.letter_keys.meta() ?? {}),
});
export type SetSettings = z.infer<typeof SetSettings>;

/** The operations of `settings`. */
export const settingsOperations = () => ({
  get: operation('settings.get', {
    get: '/settings',
    scopes: Scope.options,
    audience: [],
    forPeople: true,
    tag: 'Access',
    summary: "Read the caller's settings",
    description:
      'Returns the caller’s settings of the console: zone, density and whether keys of one letter work. They apply in every browser.',
    limit: 'reads',
    output: Settings,
    answers: {
      default: { zone: null, density: 'standard', letter_keys: true },
      chosen: { zone: 'America/Chicago', density: 'compact', letter_keys: true },
    },
  }),

  set: operation('settings.set', {
    post: '/settings',
    scopes: Scope.options,
    audience: [],
    repeatable: true,
    forPeople: true,
    tag: 'Access',
    summary: "Change the caller's settings",
    description:
      'Changes the caller’s settings of the console, in every browser. Members that you leave out keep their values.',
    ofCaller: true,
    changes: [],
    input: SetSettings,
    output: Settings,
    example: { zone: 'America/Chicago', density: 'compact' },
    answers: {
      set: { zone: 'America/Chicago', density: 'compact', letter_keys: true },
    },
  }),
});
