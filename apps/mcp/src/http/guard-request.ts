import type { IncomingMessage } from 'node:http';
import type { ProblemCode } from '@insurance-verification/schema';

/** Bytes of a message: as much as the service takes. The SDK's own bound is four times that. */
export const BODY_BYTES_MAX = 1_048_576;

/** Far more than any client sends. Node would drop what is past its own limit of 2,000 without a word. */
const HEADER_COUNT_MAX = 100;

/** What the first line and the headers alone are refused for; null when nothing speaks against them. */
export function faultOfHead({
  headers,
  headersDistinct,
  httpVersion,
  rawHeaders,
}: IncomingMessage): ProblemCode | null {
  if (rawHeaders.length / 2 > HEADER_COUNT_MAX) return 'header_too_large';
  const hostCount = headersDistinct['host']?.length ?? 0;
  if (hostCount > 1 || (hostCount === 0 && httpVersion === '1.1')) return 'bad_request';
  // A body in another transfer coding would be read as if it were plain.
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') return 'bad_request';
  if ((headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity')
    return 'unsupported_content_encoding';
  return Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX ? 'payload_too_large' : null;
}

/**
 * The path of a target: what comes before the query, also of a whole address, as a client sends it to a proxy; null when
 * it is none. A target that begins with a slash is a path, whatever follows: read as a URL, `//` is a host that is
 * missing, and `//mcp` one that is named so.
 */
export function pathOf(target: string): string | null {
  if (target.startsWith('/') || target === '*') return target.replace(/\?.*$/s, '');
  return URL.parse(target)?.pathname ?? null;
}
