import { isDatabaseUnavailable } from '@insurance-verification/store';

/** Null while the database is away: the process's own metrics matter most then, so they come without the database's. */
export async function measureOrNull<Measure>(measure: () => Promise<Measure>): Promise<Measure | null> {
  try {
    return await measure();
  } catch (err) {
    if (!isDatabaseUnavailable(err)) throw err;
    return null;
  }
}
