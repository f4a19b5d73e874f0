import type * as z from 'zod';

/** A field's fault as one line for a person. Some messages already begin with the variable's name. */
export function faultOf({ path, message }: z.core.$ZodIssue, sourceOf: (variable: string) => string): string {
  const name = String(path[0]);
  return message.startsWith(name)
    ? `${sourceOf(name)}${message.slice(name.length)}`
    : `${sourceOf(name)}: ${message}`;
}

/** The result of `read`, or the message of the TypeError it throws. */
export function valueOrFault<T extends object>(read: () => T): T | string {
  try {
    return read();
  } catch (err) {
    if (err instanceof TypeError) return err.message;
    throw err;
  }
}
