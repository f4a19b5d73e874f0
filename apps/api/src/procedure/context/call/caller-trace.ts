/** The characters and the length that ids of programs, proxies and tracers need, and no more. */
const HARMLESS = /^[\w.:/+=@~-]{1,128}$/;

/** A caller's id for its call if it is safe to log; undefined otherwise. */
export function readCallerTrace(header: string | undefined): string | undefined {
  return header !== undefined && HARMLESS.test(header) ? header : undefined;
}
