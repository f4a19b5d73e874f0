/**
 * Loaded before the service (`node --import`): every resolver asks FAULT_DNS_SERVER, as if /etc/resolv.conf named it.
 * That file takes no port, and 53 is not ours to bind. The service itself needs no option for it.
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
