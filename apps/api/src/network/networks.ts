import ipaddr from 'ipaddr.js';

/** A list of networks. */
export interface Networks {
  /** Whether one of them contains an address as Node or a proxy writes it. */
  includes(address: string): boolean;
}

/**
 * Reads networks such as `10.20.0.0/16`, already validated on entry. An IPv4 address equals its IPv4-mapped IPv6 form.
 */
export function readNetworks(cidrs: readonly string[]): Networks {
  const networks = cidrs.map(readNetwork);
  return {
    includes: (text) => {
      if (networks.length === 0) return false;
      const address = ipaddr.process(text);
      return networks.some(
        ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
      );
    },
  };
}

function readNetwork(cidr: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  return network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96
    ? [network.toIPv4Address(), bits - 96]
    : [network, bits];
}
