interface Span {
  readonly firstId: string;
  readonly lastId: string;
}

/**
 * The lowest and the highest of some ids, by which a function chooses its months (see `among`): found by the database, they
 * cost each call 15 µs.
 */
export function firstAndLast([one = '', ...others]: readonly string[]): Span {
  let [firstId, lastId] = [one, one];
  for (const id of others) {
    if (id < firstId) firstId = id;
    if (id > lastId) lastId = id;
  }
  return { firstId, lastId };
}
