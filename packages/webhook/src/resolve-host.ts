import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { type AddressGuard, permittedLiterals } from './address-guard.ts';
import { SendFailure } from './outcome.ts';
import { assertDescriptors, shortageOf } from './shortage.ts';

/**
 * The addresses to connect to for a host: a literal itself, else everything its name resolves to. One refused address
 * refuses the host, because an attacker controls the order of the list. @throws SendFailure `blocked_address`,
 * `dns_failed`
 */
export async function permittedAddresses(
  host: string,
  guard: AddressGuard,
  options: ResolveHostOptions,
): Promise<string[]> {
  return refuseIfEmpty(permittedLiterals(host, guard) ?? (await permittedByName(host, guard, options)));
}

async function permittedByName(
  host: string,
  guard: AddressGuard,
  options: ResolveHostOptions,
): Promise<string[]> {
  const addresses = await resolveHost(host.replace(/\.$/, '').toLowerCase(), options);
  return addresses.every((address) => guard.isAllowed(address)) ? addresses : [];
}

function refuseIfEmpty(addresses: string[]): string[] {
  if (addresses.length === 0) throw new SendFailure('blocked_address');
  return addresses;
}

/** How to resolve names. */
export interface ResolveHostOptions {
  /** The name servers, `host` or `host:port`; the system's by default. */
  readonly dnsServers?: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly hostsFile?: string | undefined;
}

/**
 * All IPv4 and IPv6 addresses of a name: the hosts file's if it has any, else DNS's. Names are treated as fully
 * qualified: no search domain is appended. @throws SendFailure `dns_failed`
 */
export async function resolveHost(name: string, options: ResolveHostOptions): Promise<string[]> {
  const fromFile = await readHostsFile(options.hostsFile ?? HOSTS_FILE, name);
  return fromFile.length > 0 ? fromFile : queryDns(name, options);
}

async function queryDns(name: string, { dnsServers, timeoutMs }: ResolveHostOptions): Promise<string[]> {
  // A resolver per name: `cancel` ends all queries of a resolver, and a new one sees a changed resolv.conf.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (dnsServers !== undefined) resolver.setServers(dnsServers);
  const timer = setTimeout(() => resolver.cancel(), timeoutMs);
  try {
    const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)]);
    // One family may fail by itself (broken AAAA servers are common); only the received addresses are checked and connected
    // to.
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    assertDescriptors(); // without one the resolver knows no name server, and asks none
    throw new SendFailure('dns_failed', { cause: answers.map(String) });
  } finally {
    clearTimeout(timer);
  }
}

/** The operating system's file of static names. */
const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/**
 * The hosts file's addresses for a name, in file order; empty when the file is missing.
 *
 * `dns.lookup` would read it too, but it runs on the four threads shared with files and crypto, and queries DNS again
 * with the search domains: a name server that answers "no such name" and then hangs would stall the process. Reading
 * the file costs 0.1 ms.
 */
async function readHostsFile(path: string, name: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((err: unknown) => {
    if (shortageOf(err) !== null) throw err;
    return '';
  });
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((candidate) => candidate.toLowerCase() === name)
      ? [address]
      : [];
  });
}
