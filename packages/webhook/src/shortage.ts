import { closeSync, openSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { devNull, networkInterfaces } from 'node:os';

/**
 * The resource that a machine lacks to open one more connection: descriptors, of the process (`EMFILE`) or of all
 * processes (`ENFILE`), memory for sockets (`ENOBUFS`), or local ports (`EADDRNOTAVAIL`).
 */
export type ShortageCode = 'EMFILE' | 'ENFILE' | 'ENOBUFS' | 'EADDRNOTAVAIL';

/** Nothing was sent: this machine lacks a resource, which says nothing about the receiver. */
export class HostShortageError extends Error {
  override readonly name = 'HostShortageError';
  readonly code: ShortageCode;

  constructor(code: ShortageCode, options?: ErrorOptions) {
    super(`This machine could open no connection: ${code}`, options);
    this.code = code;
  }
}

const EXHAUSTED: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS'] satisfies ShortageCode[]);

/**
 * Returns what this machine lacked where an error, or one of its causes, says so; null for any other error. Of the
 * addresses of a host, one that could not be tried is enough, but for `EADDRNOTAVAIL`: an address of a family that this
 * machine does not have fails with it too, and says so for as long as the receiver has that address.
 */
export function shortageOf(err: unknown): ShortageCode | null {
  if (!(err instanceof Error)) return null;
  if (err instanceof AggregateError) {
    const codes = err.errors.map(shortageOf);
    const isPortless = codes.length > 0 && codes.every((code) => code === 'EADDRNOTAVAIL');
    return codes.find((code) => EXHAUSTED.has(code)) ?? (isPortless ? 'EADDRNOTAVAIL' : null);
  }
  const { code, address, cause } = err as NodeJS.ErrnoException & { address?: string };
  if (EXHAUSTED.has(code)) return code as ShortageCode;
  if (code === 'EADDRNOTAVAIL') return hasFamilyOf(address ?? '') ? code : null;
  return shortageOf(cause);
}

function hasFamilyOf(address: string): boolean {
  const family = isIPv6(address) ? 'IPv6' : 'IPv4';
  return Object.values(networkInterfaces()).some((all) => all?.some((one) => one.family === family));
}

/**
 * Opens a descriptor and closes it. Where none is left, a resolver reports only that no name server answers.
 * @throws the error of the operating system, `EMFILE` or `ENFILE`
 */
export function assertDescriptors(): void {
  closeSync(openSync(devNull, 'r'));
}
