import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { LeaseBooks } from './leases/lease-books.ts';
import { Presence } from './leases/presence.ts';
import type { ToolContext } from './tools/tool-context.ts';

interface ProcessOptions {
  readonly books: LeaseBooks;
  readonly apiKey: string;
  readonly serverFor: (context: ToolContext) => McpServer;
}

/** Serves the agent that started this process, on stdin and stdout. The agent is present until it closes either. */
export function serveProcess({ books, apiKey, serverFor }: ProcessOptions): void {
  const book = books.enter(apiKey);
  const presence = new Presence();
  presence.open();
  const transport = new Pipes(presence);
  serveStdio(() => serverFor({ client: book.client, book, presence }), { transport });
}

/** The SDK closes it when either end closes. */
class Pipes extends StdioServerTransport {
  readonly #presence: Presence;

  constructor(presence: Presence) {
    super();
    this.#presence = presence;
  }

  override async close(): Promise<void> {
    this.#presence.end();
    await super.close();
  }
}
