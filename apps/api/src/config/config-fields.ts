import * as z from 'zod';

/** The entries of a comma-separated variable. */
export const list = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** A text checked by a function whose error message is a sentence for a person. */
export const checked = <T>(check: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return check(text);
    } catch (err) {
      context.addIssue({ code: 'custom', message: err instanceof Error ? err.message : 'not usable' });
      return z.NEVER;
    }
  });

export const port = () => z.coerce.number('expected a port number, as 3000').int().min(0).max(65_535);

/** The address of a server or of this service: an origin, and for some servers a path. */
export const httpUrl = (example: string) =>
  z.url({ protocol: /^https?$/, error: `expected ${example}` }).transform((text) => new URL(text));
