import type * as z from 'zod';

/** A fault of a field as a line for a person. Some messages come from where the variable is known already. */
export function faultOf({ path, message }: z.core.$ZodIssue, sourceOf: (variable: string) => string): string {
  const name = String(path[0]);
  return message.startsWith(name)
    ? `${sourceOf(name)}${message.slice(name.length)}`
    : `${sourceOf(name)}: ${message}`;
}

/** What `read` gives, or the sentence of the TypeError that it throws. */
export function valueOrFault<T extends object>(read: () => T): T | string {
  try {
    return read();
  } catch (err) {
    if (err instanceof TypeError) return err.message;
    throw err;
  }
}
