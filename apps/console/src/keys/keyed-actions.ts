import type { KeyedAction } from '@insurance-verification/schema';

/** The actions of the single-letter shortcuts, with their labels. */
export const KEYED_ACTIONS: Readonly<Record<KeyedAction, string>> = {
  next: 'Next: take the next request',
  give_up: 'Could not verify',
  give_back: 'Release',
  call: 'On a call, and off it',
  undo: 'Undo, while a result waits to be sent',
  accept: 'Apply a held output',
  decline: 'Dismiss a held output',
  newer: 'The newer held output',
  older: 'The older held output',
  search: 'Search the list',
  utc: 'Times in UTC, and back',
  keys: 'The list of keys',
};
