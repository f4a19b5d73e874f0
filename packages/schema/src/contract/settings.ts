import * as z from 'zod';
import { Scope } from '../access/scope.ts';
import { isTimeZone } from '../field/date.ts';
import { enumeration, model } from '../model.ts';
import { type KeyedAction, keysOf, sharesKey } from '../staff.ts';
import { operation } from './operation.ts';

/** One character that can be typed, so no control character or half of one; the digits copy what a request asks for. */
const key = () =>
  z
    .string()
    .refine(
      (text) => /^[^\s\d\p{C}]$/u.test(text),
      'Input should be one character, and neither a digit nor a space',
    )
    .optional();

/** What the person chose instead of {@link DEFAULT_KEYS}. */
const ChosenKeys = z
  .object({
    next: key().meta({ description: 'Takes the next request; n when absent.' }),
    give_up: key().meta({ description: 'Could not verify; f when absent.' }),
    give_back: key().meta({ description: 'Gives the request back; r when absent.' }),
    call: key().meta({ description: 'On a call, and off it; h when absent.' }),
    undo: key().meta({ description: 'Takes back what waits to be sent; z when absent.' }),
    accept: key().meta({ description: 'Applies a held output; a when absent.' }),
    decline: key().meta({ description: 'Dismisses a held output; d when absent.' }),
    newer: key().meta({ description: 'Goes to the newer held output; k when absent.' }),
    older: key().meta({ description: 'Goes to the older one; j when absent.' }),
    search: key().meta({ description: 'Leads to the search of a list; / when absent.' }),
    utc: key().meta({ description: 'Shows times in UTC, and back; u when absent.' }),
    keys: key().meta({ description: 'Lists the keys; ? when absent.' }),
  } satisfies Record<KeyedAction, z.ZodType>)
  .superRefine((chosen, ctx) => {
    const all = keysOf(chosen);
    for (const action of Object.keys(chosen) as KeyedAction[]) {
      const other = sharesKey(all, action);
      if (other) ctx.addIssue({ code: 'custom', path: [action], message: `${other} has this key already` });
    }
  });

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
  keys: ChosenKeys.meta({
    additionalProperties: undefined, // as in every model
    description: 'Keys chosen instead of the default ones. No two actions share one, defaults included.',
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
  keys: shape.keys.optional().meta(shape.keys.meta() ?? {}),
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
      'Returns the caller’s settings of the console: zone, density and keys. They apply in every browser.',
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
    summary: "Change the caller's settings",
    description:
      'Changes the caller’s settings of the console, in every browser. Members that you leave out keep their values; `keys` replaces all keys chosen before, and an empty one restores the default.',
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
