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

/** Variables that must not be read over somebody's shoulder: each may come from a file named by `…_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'ENCRYPTION_KEY',
  'BOOTSTRAP_API_KEY',
  'BOOTSTRAP_WEBHOOK_SECRET',
  'X12_CREDENTIALS',
  'METRICS_TOKEN',
  'EGRESS_PROXY_URL',
] as const;
export type Secret = (typeof SECRETS)[number];
