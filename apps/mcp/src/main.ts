import { createSchemas } from '@insurance-verification/schema';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ConfigError, readConfig } from './config.ts';
import { createServer } from './create-server.ts';
import { createLeaseBooks } from './lease-book.ts';
import { readPayers } from './read-payers.ts';
import { serveHttp } from './http/serve-http.ts';

// Over stdio, stdout is the protocol's: whatever is told to people goes to stderr.
const tell = (line: string) => void process.stderr.write(`${line}\n`);
// Nobody may be there to read it (a closed terminal): that is no reason to end.
process.stderr.on('error', () => undefined);

/** Milliseconds for which calls under way may still take. */
const DRAIN_MS = 10_000;

try {
  const { url, apiKey, listen } = readConfig(process.argv.slice(2), process.env);
  const schemas = createSchemas({ payers: await readPayers(url) });
  const books = createLeaseBooks();
  const serverFor = (key: string) => createServer({ url, apiKey: key, leases: books(key), schemas });
  if (listen) {
    const door = await serveHttp({ ...listen, serverFor });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void door.stop(DRAIN_MS));
    tell(`MCP for ${url} at ${door.url}`);
  } else {
    serveStdio(() => serverFor(apiKey ?? ''));
  }
} catch (err) {
  if (err instanceof ConfigError) tell(err.message);
  else tell(`The service cannot be reached or is none: ${err instanceof Error ? err.message : 'unknown'}.`);
  process.exit(1);
}
