import { Resolver } from 'node:dns/promises';
import { SendFailure } from '../sending/send-failure.ts';
import { HOSTS_FILE, readHostsFile } from './read-hosts-file.ts';

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
    if (addresses.length === 0) throw new SendFailure('dns_failed', { cause: answers.map(String) });
    return addresses;
  } finally {
    clearTimeout(timer);
  }
}
