import { StartError } from '../config/start-error.ts';

/** Where a server should listen, and the variable that its port came from. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly variable: 'PORT' | 'METRICS_PORT';
}

const EXPECTED_HOST =
  'Expected an address of this machine: 127.0.0.1 for itself alone, 0.0.0.0 for all its networks.';

/** A failed `listen`, with the variable that would fix it. */
export function nameListenFailure(err: unknown, address: ListenAddress): StartError {
  const code = (err as NodeJS.ErrnoException).code ?? 'unknown';
  return new StartError(describe(code, address), { cause: err });
}

function describe(code: string, { host, port, variable }: ListenAddress): string {
  if (code === 'EADDRINUSE')
    return `${variable}: another program listens on port ${port} of ${host} (${code}). Set it to a free one, or to 0 to have one chosen: ${variable}=${port + 1}.`;
  // Ports from 1024 on need no privileges: for those the address is at fault.
  if (code === 'EACCES' && port > 0 && port < 1024)
    return `${variable}: this user may not listen on port ${port} (${code}); ports below 1024 need elevated privileges. For example: ${variable}=3000.`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST: ${host} has no address (${code}). ${EXPECTED_HOST}`;
  return `HOST: ${host} cannot be listened on here (${code}). ${EXPECTED_HOST}`;
}
