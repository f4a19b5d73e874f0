import type { ProblemCode } from '@insurance-verification/schema';
import { head } from './head.ts';

/** How to reach a server: paths that it knows, and the Host that it accepts. */
export interface Target {
  /** A path that answers GET. */
  readonly get: string;
  /** A path that answers POST. */
  readonly post: string;
  /** Header lines without which it would not read a body, such as a key. */
  readonly postHeaders?: readonly string[];
  /** The line, such as `Host: localhost`. */
  readonly host?: string;
}

/** Bytes that are not an HTTP request, or one beyond the bounds of every server here, and the problem that reports it. */
export function malformedHttp({
  get,
  post,
  postHeaders = [],
  host,
}: Target): [what: string, bytes: string | Uint8Array, code: ProblemCode][] {
  const asked = (line: string, headers: readonly string[] = []) => head(line, headers, host);
  const getWith = (headers: readonly string[]) => asked(`GET ${get}`, headers);
  const postWith = (headers: readonly string[]) => asked(`POST ${post}`, [...postHeaders, ...headers]);
  const chunkWithoutLength = `${postWith(['Transfer-Encoding: chunked'])}zz\r\n`;
  return [
    ['a header of 20 KB', getWith([`a: ${'x'.repeat(20_000)}`]), 'header_too_large'],
    ['an address of 20 KB', asked(`GET /${'x'.repeat(20_000)}`), 'header_too_large'],
    ['2,500 headers', getWith(Array<string>(2_500).fill('a:b')), 'header_too_large'],
    ['101 headers', getWith(Array.from({ length: 100 }, (_, index) => `h${index}: v`)), 'header_too_large'],
    [
      'Content-Length and Transfer-Encoding',
      postWith(['Content-Length: 2', 'Transfer-Encoding: chunked']),
      'bad_request',
    ],
    ['two different Content-Lengths', postWith(['Content-Length: 2', 'Content-Length: 3']), 'bad_request'],
    ['a Content-Length that is no number', postWith(['Content-Length: two']), 'bad_request'],
    ['a Content-Length past every number', postWith([`Content-Length: ${'9'.repeat(40)}`]), 'bad_request'],
    ['another transfer coding', postWith(['Transfer-Encoding: gzip, chunked']), 'bad_request'],
    ['a chunk without a length', chunkWithoutLength, 'bad_request'],
    ['no Host', head(`GET ${get}`, [], ''), 'bad_request'],
    ['two Hosts', getWith(['Host: other']), 'bad_request'],
    ['an address without a host', asked('GET http://'), 'bad_request'],
    ['an address that is none', asked(`GET http://[::1${get}`), 'bad_request'],
    ['an address with bytes beyond ASCII', Buffer.from(asked('GET /\u00e9'), 'utf8'), 'bad_request'],
    ['a method that HTTP does not know', asked(`FETCH ${get}`), 'bad_request'],
    ['a tunnel', asked('CONNECT service:443'), 'bad_request'],
    ['no HTTP', 'hello\r\n\r\n', 'bad_request'],
    ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'bad_request'],
    ['a bare line feed in a header', `GET ${get} HTTP/1.1\nHost: a\nb\n\n`, 'bad_request'],
    ['a control character in a header', getWith(['x-key: a\u0001b']), 'bad_request'],
    ['a space in a header name', getWith(['x key: b']), 'bad_request'],
  ];
}
