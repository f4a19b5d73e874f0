import type { Words } from '../../../words/request-words.ts';

/** One line of what happened to a request. */
export interface TimelineEvent extends Words {
  readonly at: string;
  /** What more there is to say, in sentences. */
  readonly details: readonly string[];
  /** What the receiver answered, verbatim. */
  readonly snippet?: string | undefined;
  /** The held output that it is about, while it is kept. */
  readonly heldId?: string | undefined;
}
