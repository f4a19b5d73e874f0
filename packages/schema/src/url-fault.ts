/**
 * Why a text is no URL, in the words of pydantic (rust-url), or null when it is one. Node's parser is the same WHATWG
 * algorithm but tells no reason, so it decides and the reason is found again from the text.
 */
export function urlFault(text: string): string | null {
  if (text === '') return 'input is empty';
  if (URL.canParse(text)) return null;
  // WHATWG: leading and trailing C0 controls and spaces, then every tab and newline, are removed first.
  // oxlint-disable-next-line no-control-regex -- the C0 range is what the algorithm names
  const input = text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(input)?.[1]?.toLowerCase();
  if (scheme === undefined) return 'relative URL without a base';
  const isSpecial = ['http', 'https', 'ws', 'wss', 'ftp', 'file'].includes(scheme);
  const rest = input.slice(scheme.length + 1);
  const authority = isSpecial
    ? /^[/\\]*([^/\\?#]*)/.exec(rest)?.[1]
    : /^\/\/([^/?#]*)/.exec(rest)?.[1];
  return authorityFault(authority ?? '');
}

function authorityFault(authority: string): string {
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  if (hostAndPort.startsWith('[')) {
    const end = hostAndPort.indexOf(']');
    const literal = end === -1 ? hostAndPort : hostAndPort.slice(0, end + 1);
    return URL.canParse(`http://${literal}/`) ? 'invalid port number' : 'invalid IPv6 address';
  }
  const colon = hostAndPort.indexOf(':');
  const host = colon === -1 ? hostAndPort : hostAndPort.slice(0, colon);
  if (host === '') return 'empty host';
  if (URL.canParse(`http://${host}/`)) return 'invalid port number';
  // "Ends in a number": the last label, without one trailing dot, is digits or hexadecimal.
  if (/(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(host)) return 'invalid IPv4 address';
  return 'invalid international domain name';
}
