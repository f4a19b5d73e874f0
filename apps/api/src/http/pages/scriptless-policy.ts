import { createHash } from 'node:crypto';

/**
 * The policy of a page without scripts: it may use its one style, by the digest, and nothing else.
 * @param further directives, such as where its pictures are from.
 */
export const scriptlessPolicy = (style: string, ...further: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    ...further,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
