/** The keys of one letter in the console, by what they do, for a person who has chosen no others. */
export const DEFAULT_KEYS = {
  next: 'n',
  give_up: 'f',
  give_back: 'r',
  call: 'h',
  undo: 'z',
  accept: 'a',
  decline: 'd',
  newer: 'k',
  older: 'j',
  search: '/',
  utc: 'u',
  keys: '?',
} as const;

/** What a key of one letter does in the console: `give_back`. */
export type KeyedAction = keyof typeof DEFAULT_KEYS;

/** The key of each action, for a person who has chosen these. */
export function keysOf(
  chosen: Readonly<Partial<Record<KeyedAction, string | undefined>>>,
): Record<KeyedAction, string> {
  const own = Object.entries(chosen).filter(([, key]) => key !== undefined);
  return { ...DEFAULT_KEYS, ...(Object.fromEntries(own) as Partial<Record<KeyedAction, string>>) };
}

/** The other action that has the action's key; undefined where it is free. */
export function sharesKey(
  keys: Readonly<Record<KeyedAction, string>>,
  action: KeyedAction,
): KeyedAction | undefined {
  return (Object.keys(keys) as KeyedAction[]).find((one) => one !== action && keys[one] === keys[action]);
}
