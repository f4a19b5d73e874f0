/**
 * Loaded before the service (`node --import`): makes every resolver ask FAULT_DNS_SERVER, as if /etc/resolv.conf named
 * it. That file allows no port, and binding port 53 needs privileges. The service itself needs no option for it.
 */
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const server = process.env['FAULT_DNS_SERVER'] ?? '';
dns.Resolver = class extends dns.Resolver {
  constructor(options?: ConstructorParameters<typeof dns.Resolver>[0]) {
    super(options);
    this.setServers([server]);
  }
};
syncBuiltinESMExports();
