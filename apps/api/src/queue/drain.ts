interface UnderWay {
  readonly abort: AbortController;
  /** Does not reject. */
  readonly done: Promise<unknown>;
}

/** Lets what is under way end within the deadline, and ends the rest. @returns the rest. */
export async function drain<Work extends UnderWay>(
  inFlight: ReadonlyMap<string, Work>,
  deadlineMs: number,
): Promise<Work[]> {
  const allDone = () => Promise.all([...inFlight.values()].map(({ done }) => done));
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([allDone(), new Promise((resolve) => (timer = setTimeout(resolve, deadlineMs)))]);
  clearTimeout(timer);
  const unfinished = [...inFlight.values()];
  for (const { abort } of unfinished) abort.abort();
  await allDone();
  return unfinished;
}
