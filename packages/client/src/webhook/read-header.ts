import type { ReceivedHeaders } from '@insurance-verification/webhook/verify';

/** A header that occurs exactly once, by case-insensitive name; else null. */
export function readHeader(headers: ReceivedHeaders, name: string): string | null {
  if (hasGet(headers)) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.length === 1 ? (value[0] ?? null) : null;
}

function hasGet(headers: ReceivedHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}
