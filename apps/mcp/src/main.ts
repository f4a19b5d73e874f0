import { createSchemas } from '@insurance-verification/schema';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ConfigError, readConfig } from './config.ts';
import { createServer } from './create-server.ts';
import { createLeaseBooks } from './lease-book.ts';
import { readPayers } from './read-payers.ts';
import { serveHttp } from './serve-http.ts';

// Over stdio, stdout is the protocol's: whatever is told to people goes to stderr.
const tell = (line: string) => void process.stderr.write(`${line}\n`);

try {
  const { url, apiKey, listen } = readConfig(process.argv.slice(2), process.env);
  const schemas = createSchemas({ payers: await readPayers(url) });
  const books = createLeaseBooks();
  const serverFor = (key: string) => createServer({ url, apiKey: key, leases: books(key), schemas });
  if (listen) {
    const { url: address, server } = await serveHttp({ ...listen, serverFor });
    tell(`MCP for ${url} at ${address}`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
  } else {
    serveStdio(() => serverFor(apiKey ?? ''));
  }
} catch (err) {
  if (err instanceof ConfigError) tell(err.message);
  else tell(`The service cannot be reached or is none: ${err instanceof Error ? err.message : 'unknown'}.`);
  process.exit(1);
}
