/** Makes a queue of calls per key: a call starts after the one before has ended, also after a failure. */
export function createTurns(): <T>(key: string, call: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, call) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(call, call);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
