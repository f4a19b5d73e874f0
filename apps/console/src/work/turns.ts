/** Makes a queue of calls per request: a call starts after the one before has ended, whether that failed or not. */
export function createTurns(): <T>(requestId: string, call: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (requestId, call) => {
    const turn = (last.get(requestId) ?? Promise.resolve()).then(call, call);
    last.set(requestId, turn);
    try {
      return await turn;
    } finally {
      if (last.get(requestId) === turn) last.delete(requestId);
    }
  };
}
