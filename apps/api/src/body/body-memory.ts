import type { Context } from '../procedure/context/app.ts';
import { BodyAllowance, type BodyMemory, type BodyOwner } from '../procedure/context/call.ts';

interface BodyMemoryOptions {
  readonly bodyBytesMax: number;
  /** Milliseconds a body waits for memory. */
  readonly waitMs?: number;
}

interface Waiting {
  readonly owner: BodyOwner;
  readonly byteCount: number;
  readonly enter: () => void;
}

/** Bytes of bodies: with everything made of them, still below a small container's memory. */
const MEMORY_BYTES = 32 * 1024 * 1024;

/** Bodies waiting at once, of keys and of anonymous senders: each release scans them all. */
const WAITING_COUNT_MAX = 1000;
const WAITING_ANONYMOUS_MAX = 100;

/** Where larger bodies are allowed, memory for this many of the largest. */
const BODY_COUNT_MIN = 4;

/**
 * Bounds the bytes of all bodies in memory, however many connections send them. An account gets half of what the others
 * leave, so one more account always finds some; anonymous senders get an eighth together and half of that each, so that
 * unfinished bodies never keep a key's body out.
 */
export function createBodyMemory({ bodyBytesMax, waitMs = 2000 }: BodyMemoryOptions): BodyMemory {
  const memoryBytes = Math.max(MEMORY_BYTES, BODY_COUNT_MIN * bodyBytesMax);
  const anonymousBytes = Math.max(memoryBytes / 8, bodyBytesMax);
  const oneAnonymousBytes = Math.max(anonymousBytes / 2, bodyBytesMax);
  const held = new Map<string, number>();
  const waiting = new Set<Waiting>();
  const waitingAnonymous = new Set<Waiting>();
  let heldBytes = 0;
  let heldByAnonymous = 0;

  const take = (owner: BodyOwner, byteCount: number): boolean => {
    const before = held.get(owner.id) ?? 0;
    const own = before + byteCount;
    const others = heldBytes - before;
    if (others + own > memoryBytes) return false;
    if (own > (owner.isAnonymous ? oneAnonymousBytes : (memoryBytes - others) / 2)) return false;
    if (owner.isAnonymous && heldByAnonymous + byteCount > anonymousBytes) return false;
    heldBytes += byteCount;
    if (owner.isAnonymous) heldByAnonymous += byteCount;
    held.set(owner.id, own);
    return true;
  };

  return {
    take,
    waitFor: (owner, byteCount) =>
      new Promise((resolve) => {
        const queue = owner.isAnonymous ? waitingAnonymous : waiting;
        if (queue.size >= (owner.isAnonymous ? WAITING_ANONYMOUS_MAX : WAITING_COUNT_MAX)) {
          resolve(false);
          return;
        }
        const one = {
          owner,
          byteCount,
          enter: () => {
            clearTimeout(timer);
            queue.delete(one);
            resolve(true);
          },
        };
        const timer = setTimeout(() => {
          queue.delete(one);
          resolve(false);
        }, waitMs);
        queue.add(one);
      }),
    giveBack: (owner, byteCount) => {
      const own = (held.get(owner.id) ?? 0) - byteCount;
      if (own > 0) held.set(owner.id, own);
      else held.delete(owner.id);
      heldBytes -= byteCount;
      if (owner.isAnonymous) heldByAnonymous -= byteCount;
      for (const one of waiting) if (take(one.owner, one.byteCount)) one.enter();
      for (const one of waitingAnonymous) if (take(one.owner, one.byteCount)) one.enter();
    },
  };
}

/**
 * The body allowance of a call; released when the call is answered. Authenticate first: the owner is the call's account
 * or, without a key, its client.
 */
export function allowBody({ app, call }: Context): BodyAllowance {
  const owner = call.key
    ? { id: call.key.accountId, isAnonymous: false }
    : { id: call.client, isAnonymous: true };
  return (call.bodyAllowance ??= new BodyAllowance(
    app.bodyMemory,
    owner,
    Math.min(app.config.bodyBytesMax, call.anonymousBytesMax ?? Number.POSITIVE_INFINITY),
  ));
}
