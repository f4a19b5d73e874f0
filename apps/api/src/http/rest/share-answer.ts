/** Asks once for all concurrent callers and those soon after. A failure counts as an answer. */
export function shareAnswer<T>(reuseMs: number, ask: () => Promise<T>): () => Promise<T> {
  let shared: { readonly answer: Promise<T>; goodUntil: number } | null = null;
  return () => {
    if (shared && performance.now() < shared.goodUntil) return shared.answer;
    const mine = { answer: ask(), goodUntil: Number.POSITIVE_INFINITY };
    shared = mine;
    const end = () => void (mine.goodUntil = performance.now() + reuseMs);
    mine.answer.then(end, end);
    return mine.answer;
  };
}
