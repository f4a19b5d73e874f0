/** Does what is asked about one request only after what was asked about it before; how that ended is its caller's. */
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
