import { assertDescriptors, type ShortageCode, shortageOf } from '@insurance-verification/webhook';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from './log.ts';

/**
 * A lack of what a connection takes: descriptors, memory for sockets, local ports. It is this machine's, so no receiver and
 * no payer is charged for it, calls get 503, and the process is not ready.
 */
export interface Shortage {
  /** Returns whether the shortage lasts. Opens a descriptor as well, to find a shortage before a call fails. */
  readonly lasts: () => boolean;
  /** Notes an error that shows it. @returns whether this one does. */
  readonly note: (err: unknown) => boolean;
}

/** Milliseconds without another failure after which it is over: in between, single descriptors come free and are taken. */
const QUIET_MS = 2_000;

/** Milliseconds for which one look serves all callers: each delivery asks. */
const LOOK_MS = 100;

const SENTENCES: Readonly<Record<ShortageCode, string>> = {
  EMFILE: 'this process has no descriptor left (EMFILE): raise its limit (ulimit -n, LimitNOFILE)',
  ENFILE: 'this machine has no descriptor left (ENFILE): see fs.file-max',
  ENOBUFS: 'this machine has no memory left for sockets (ENOBUFS)',
  EADDRNOTAVAIL: 'this machine has no local port left (EADDRNOTAVAIL): see net.ipv4.ip_local_port_range',
};

/** Reports one shortage in one line, however many calls and attempts it fails. */
export function createShortage(registry: Registry, log: Pick<Log, 'error' | 'info'>): Shortage {
  let current: ShortageCode | null = null;
  let seenAt = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;

  const note = (err: unknown): boolean => {
    const code = shortageOf(err);
    if (code === null) return false;
    seenAt = performance.now();
    if (current === null) log.error({ code }, `${SENTENCES[code]}; nothing is delivered meanwhile`);
    current ??= code;
    return true;
  };

  const lasts = (): boolean => {
    const now = performance.now();
    if (now - lookedAt < LOOK_MS) return current !== null;
    lookedAt = now;
    try {
      assertDescriptors();
    } catch (err) {
      note(err);
    }
    if (current !== null && now - seenAt > QUIET_MS) {
      log.info({ code: current }, 'this process can open connections again');
      current = null;
    }
    return current !== null;
  };

  const gauge: Gauge = new Gauge({
    name: 'ivs_host_shortage',
    help: 'Whether this process lacks descriptors, memory for sockets or local ports; the log says which.',
    registers: [registry],
    collect: () => gauge.set(Number(lasts())),
  });
  return { lasts, note };
}
