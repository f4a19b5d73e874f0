import * as z from 'zod';

/** The entries of a list as a variable holds it, separated by commas. */
export const list = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** A text whose check is a function that throws a sentence for a person. */
export const checked = <T>(check: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return check(text);
    } catch (err) {
      context.addIssue({ code: 'custom', message: err instanceof Error ? err.message : 'not usable' });
      return z.NEVER;
    }
  });
