/** Commits items together, some at a time; answers each by itself. */
export interface GroupCommitOptions<Item, Answer> {
  /** Answers in the order of the items, when they are durable. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Items in one commit. Beyond some number the statement grows, the gain does not. */
  readonly countMax: number;
  /** Which of those that wait, beside the ones in the commit, a failure is told to as well. */
  readonly failsAll: (err: unknown) => boolean;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (err: unknown) => void;
}

/**
 * Group commit: an item that finds no commit under way goes at once and alone; those that arrive meanwhile wait for
 * the next one and share its round trip, its plan and its flush to disk. Nobody waits for a timer, and nobody is
 * answered before the commit.
 */
export function groupCommit<Item, Answer>({
  commit,
  countMax,
  failsAll,
}: GroupCommitOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  let isCommitting = false;

  const commitNext = async (): Promise<void> => {
    isCommitting = true;
    const batch = waiting.splice(0, countMax);
    try {
      const answers = await commit(batch.map(({ item }) => item));
      if (answers.length !== batch.length)
        throw new Error('A commit answered fewer items than it was given.');
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (err) {
      for (const { reject } of failsAll(err) ? [...batch, ...waiting.splice(0)] : batch) reject(err);
    }
    if (waiting.length > 0) void commitNext();
    else isCommitting = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isCommitting) void commitNext();
    });
}
