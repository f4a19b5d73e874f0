import { createSchemas } from '@insurance-verification/schema';
import { ConfigError, HELP, locateService, readConfig } from './config.ts';
import { createServers } from './create-servers.ts';
import { serveHttp } from './http/serve-http.ts';
import { LeaseBooks } from './leases/lease-books.ts';
import { readPayers } from './read-payers.ts';
import { serveProcess } from './serve-process.ts';

// Over stdio, stdout belongs to the protocol: messages for people go to stderr.
const print = (line: string) => void process.stderr.write(`${line}\n`);
// A closed terminal must not end the program.
process.stderr.on('error', () => undefined);

/** Milliseconds that calls in flight get to finish. */
const DRAIN_MS = 10_000;

const args = process.argv.slice(2);
if (args.includes('--help') || args.includes('-h')) process.stdout.write(HELP);
else await start();

async function start(): Promise<void> {
  try {
    const { apiKey, listen } = readConfig(args, process.env);
    const url = await locateService(process.env);
    const serverFor = createServers(createSchemas({ payers: await readPayers(url) }));
    const books = new LeaseBooks(url);
    books.start();
    if (listen) {
      const listener = await serveHttp({ ...listen, serviceUrl: url, books, serverFor });
      for (const signal of ['SIGINT', 'SIGTERM'] as const)
        process.once(signal, () => void listener.stop(DRAIN_MS));
      // For supervisors: the one line that announces the server's address.
      process.stdout.on('error', () => undefined);
      process.stdout.write(`${JSON.stringify({ msg: 'listening', url: listener.url })}\n`);
      print(`MCP for ${url} at ${listener.url}`);
    } else {
      serveProcess({ books, apiKey: apiKey ?? '', serverFor });
    }
  } catch (err) {
    if (err instanceof ConfigError) print(err.message);
    else
      print(`The service cannot be reached or is none: ${err instanceof Error ? err.message : 'unknown'}.`);
    process.exit(1);
  }
}
