import { isPunycodeLabel } from './punycode-label.ts';

/** WHATWG's special schemes: their hosts are domains or addresses, and a backslash counts as a slash. */
const SPECIAL_SCHEME = /^(https?|wss?|ftp|file)$/i;

/**
 * Why a text is not a URL, in the words of pydantic (rust-url); null when it is one. The platform's parser runs the
 * same WHATWG algorithm but gives no reason, so it decides, and the reason is derived from the text.
 */
export function urlFault(text: string): string | null {
  if (text === '') return 'input is empty';
  if (canParse(text)) return null;
  // WHATWG: leading and trailing C0 controls and spaces, then every tab and newline, are removed first.
  // oxlint-disable-next-line no-control-regex -- the C0 range is what the algorithm names
  const input = text.replace(/^[\0-\x20]+|[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(input)?.[1];
  if (scheme === undefined) return 'relative URL without a base';
  const rest = input.slice(scheme.length + 1);
  if (SPECIAL_SCHEME.test(scheme)) {
    return authorityFault(/^[/\\]*([^/\\?#]*)/.exec(rest)?.[1] ?? '', 'http');
  }
  return authorityFault(/^\/\/([^/?#]*)/.exec(rest)?.[1] ?? '', 'opaque');
}

function authorityFault(authority: string, scheme: 'http' | 'opaque'): string {
  const hostAndPort = authority.slice(authority.lastIndexOf('@') + 1);
  // A colon inside brackets belongs to an IPv6 address.
  const host = /^(\[[^\]]*\]?)?[^:]*/.exec(hostAndPort)?.[0] ?? '';
  if (host === '') return 'empty host';
  if (canParse(`${scheme}://${host}/`)) return 'invalid port number';
  if (host.startsWith('[')) return 'invalid IPv6 address';
  if (scheme === 'opaque') return 'invalid domain character';
  // Characters that IDNA ignores: a host of only these is empty.
  if (/^[\p{Default_Ignorable_Code_Point}--[\u200c\u200d]]+$/v.test(host)) return 'empty host';
  // A numeric last label makes the host an IPv4 address; with another label appended, only names remain valid.
  if (canParse(`http://${host}.z/`)) return 'invalid IPv4 address';
  return 'invalid international domain name';
}

/** `URL.parse`, which Node 20 lacks. Asking `URL.canParse` first parses every text twice. */
function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** Like `URL.canParse`, but `xn--` labels must decode, as WHATWG requires: Node's parser accepts broken ones. */
function canParse(text: string): boolean {
  const url = parse(text);
  if (!url) return false;
  const { hostname, protocol } = url;
  // Hosts of other schemes are opaque: they have no labels.
  if (!SPECIAL_SCHEME.test(protocol.slice(0, -1))) return true;
  return hostname.split('.').every((label) => !label.startsWith('xn--') || isPunycodeLabel(label));
}
