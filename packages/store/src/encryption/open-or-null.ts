import { SealBrokenError } from './seal.ts';

/** What is being opened; null where its seal is broken, so that a row costs its own place and not the page. */
export async function openOrNull<T>(opening: Promise<T>): Promise<T | null> {
  try {
    return await opening;
  } catch (err) {
    if (err instanceof SealBrokenError) return null;
    throw err;
  }
}
