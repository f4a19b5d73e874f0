/** What every question needs. */
export interface Asking {
  /** Ends the question, which then rejects. */
  readonly signal: AbortSignal;
  /** The line under every question, refreshed each second: what the person must keep in sight. */
  readonly footer: () => string;
}

/** The answer of a person who returns to the previous question. */
export const BACK = Symbol('back');
export type Back = typeof BACK;

/** Where questions are drawn, and their signal. Stdout is reserved for the command's answer. */
export function contextOf({ signal }: Asking) {
  return { output: process.stderr, signal };
}
