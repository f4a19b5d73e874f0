/** What every question needs beside itself. */
export interface Asking {
  /** Ends the question: it then rejects. */
  readonly signal: AbortSignal;
  /** The line under every question, asked for anew each second: what the person must have in sight. */
  readonly footer: () => string;
}

/** The answer of a person who goes back to the question before. */
export const BACK = Symbol('back');
export type Back = typeof BACK;

/** Where questions are drawn, and until when. Stdout is for the command's answer. */
export function contextOf({ signal }: Asking) {
  return { output: process.stderr, signal };
}
