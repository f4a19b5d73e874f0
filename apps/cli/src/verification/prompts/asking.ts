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

/** What a question needs while it is drawn. */
export interface Drawing extends Pick<Asking, 'footer'> {
  /** Called with an answer: the question stays on screen with it. One that is left otherwise is wiped. */
  readonly keep: () => void;
}

interface Place {
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
  readonly clearPromptOnDone: boolean;
}

/** Keeps a terminal from showing keys that nothing asked for. A question that ends gives the terminal back. */
export function keepRaw(stdin: NodeJS.ReadStream): void {
  if (stdin.isTTY) stdin.setRawMode(true).resume();
}

/** Asks on stderr, since stdout is reserved for the command's answer. */
export function ask<Question, Answer>(
  prompt: (config: Question & Drawing, context: Place) => Promise<Answer>,
  question: Question,
  { footer, signal }: Asking,
): Promise<Answer> {
  const place = { output: process.stderr, signal, clearPromptOnDone: true };
  const keep = () => {
    place.clearPromptOnDone = false;
  };
  return prompt({ ...question, footer, keep }, place).finally(() => keepRaw(process.stdin));
}
