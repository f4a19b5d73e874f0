import type { Vault } from '../encryption/vault.ts';

/** Includes the port implied by the scheme: a dead http receiver is not the https receiver of the same name. */
export function hostAndPort(callbackUrl: string): string {
  const { hostname, port, protocol } = new URL(callbackUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}

/** The value of `delivery.destination_host`. */
export function destinationHostOf(vault: Vault, callbackUrl: string): Buffer {
  return indexHost(vault, hostAndPort(callbackUrl));
}

/** The values of `delivery.destination_host` that a typed host stands for; none for a text that is no host. */
export function destinationHostsOf(vault: Vault, typed: string): Buffer[] {
  const origin = `https://${typed}`;
  if (!/^[^/?#@\\\s]+$/.test(typed) || !URL.canParse(origin)) return [];
  const { hostname, port } = new URL(origin);
  const ports = port !== '' ? [port] : typed.endsWith(':443') ? ['443'] : ['443', '80'];
  return ports.map((one) => indexHost(vault, `${hostname}:${one}`));
}

const indexHost = (vault: Vault, host: string) => vault.index('delivery.destination_host', host);
