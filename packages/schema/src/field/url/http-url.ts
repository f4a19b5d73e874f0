import { type Fault, textField } from '../text-field.ts';
import { urlFault } from './url-fault.ts';

/** The spec's bound on `callback_url`, in characters. */
const LENGTH_MAX = 2083;

/**
 * An http or https address of 1 to 2083 characters, like pydantic's `HttpUrl`: any host, port, userinfo and fragment.
 * Kept unchanged; whether it may be called is decided at the call.
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
  const { protocol } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') {
    return { type: 'url_scheme', msg: "URL scheme should be 'http' or 'https'" };
  }
  return value;
}

/** Counts characters, as the spec and JSON Schema do; FastAPI says characters but counts UTF-8 bytes. */
function isTooLong(value: string): boolean {
  // A character has at most two UTF-16 units, so only the range between needs counting.
  if (value.length <= LENGTH_MAX) return false;
  return value.length > LENGTH_MAX * 2 || Array.from(value).length > LENGTH_MAX;
}
