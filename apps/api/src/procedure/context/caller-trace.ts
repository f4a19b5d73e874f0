/** What ids are made of that programs, proxies and tracers give calls, and no more of it than any of them needs. */
const HARMLESS = /^[\w.:/+=@~-]{1,128}$/;

/** A caller's id for its call, as it may stand in a log; undefined for any other text. */
export function readCallerTrace(header: string | undefined): string | undefined {
  return header !== undefined && HARMLESS.test(header) ? header : undefined;
}
