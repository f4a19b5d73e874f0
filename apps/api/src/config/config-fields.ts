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

/** What must not be read over somebody's shoulder: each may come from a file, which `…_FILE` names. */
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
