import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';

/** Bytes of a message: the service's own limit. The SDK's is four times as high. */
export const BODY_BYTES_MAX = 1_048_576;

/** Far more than any client sends. Node silently drops headers beyond its own limit of 2,000. */
const HEADER_COUNT_MAX = 100;

/** Why a request is refused by its request line and headers alone; null when they are acceptable. */
export function faultOfHead({
  headers,
  headersDistinct,
  httpVersion,
  rawHeaders,
}: IncomingMessage): ProblemCode | null {
  if (rawHeaders.length / 2 > HEADER_COUNT_MAX) return 'header_too_large';
  const hostCount = headersDistinct['host']?.length ?? 0;
  if (hostCount > 1 || (hostCount === 0 && httpVersion === '1.1')) return 'bad_request';
  // Any other transfer coding would be read as plain text.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') return 'bad_request';
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity')
    return 'unsupported_content_encoding';
  return Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX ? 'payload_too_large' : null;
}

/**
 * The path of a request target, without the query; null when it is invalid. Accepts absolute URLs, as a client sends
 * them to a proxy. A target that begins with a slash is taken as a path: parsed as a URL, `//` is a missing host, and
 * `//mcp` a host of that name.
 */
export function pathOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target.replace(/\?.*$/s, '');
  return URL.parse(target)?.pathname ?? null;
}
