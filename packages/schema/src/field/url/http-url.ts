import { type Fault, textField } from '../text-field.ts';
import { urlFault } from './url-fault.ts';

/** The spec's bound on `callback_url`, in characters. */
const LENGTH_MAX = 2083;

/**
 * An http or https address of 1 to 2083 characters, like pydantic's `HttpUrl`: any host, port, userinfo and fragment. What
 * is a URI (RFC 3986) is kept unchanged. What browsers read as one besides, with blanks, backslashes or other letters, is
 * what they make of it, `URL.href`, so that the field is the `format: uri` that it says; unless that is too long. Whether it
 * may be called is decided at the call.
 */
export function httpUrl() {
  return textField(readHttpUrl, { format: 'uri', minLength: 1, maxLength: LENGTH_MAX });
}

function readHttpUrl(value: unknown): string | Fault {
  if (typeof value !== 'string') return { type: 'url_type', msg: 'URL input should be a string or URL' };
  if (isTooLong(value)) {
    return { type: 'url_too_long', msg: `URL should have at most ${LENGTH_MAX} characters` };
  }
  const reason = urlFault(value);
  if (reason !== null) return { type: 'url_parsing', msg: `Input should be a valid URL, ${reason}` };
  const { protocol, href } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { type: 'url_scheme', msg: "URL scheme should be 'http' or 'https'" };
  }
  return RFC_3986.test(value) || isTooLong(href) ? value : href;
}

const ESCAPED = '%[0-9a-f]{2}';
const SEGMENT_CHARACTER = `(?:[\\w.~!$&'()*+,;=:@-]|${ESCAPED})`;
const REST_CHARACTER = `(?:[\\w.~!$&'()*+,;=:@/?-]|${ESCAPED})`;
const AUTHORITY = `(?:(?:[\\w.~!$&'()*+,;=:-]|${ESCAPED})*@)?(?:\\[[0-9a-f:.]+\\]|(?:[\\w.~!$&'()*+,;=-]|${ESCAPED})*)(?::\\d*)?`;
const SEGMENTS = `(?:/${SEGMENT_CHARACTER}*)*`;

/** RFC 3986, appendix A: with an authority, which may be empty, or with only a path. */
const RFC_3986 = new RegExp(
  `^https?:(?://${AUTHORITY}${SEGMENTS}|/?(?:${SEGMENT_CHARACTER}+${SEGMENTS})?)(?:\\?${REST_CHARACTER}*)?(?:#${REST_CHARACTER}*)?$`,
  'i',
);

/** Counts characters, as the spec and JSON Schema do; FastAPI says characters but counts UTF-8 bytes. */
function isTooLong(value: string): boolean {
  // A character has at most two UTF-16 units, so only the range between needs counting.
  if (value.length <= LENGTH_MAX) return false;
  return value.length > LENGTH_MAX * 2 || Array.from(value).length > LENGTH_MAX;
}
