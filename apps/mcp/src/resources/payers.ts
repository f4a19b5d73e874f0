import type { Schemas } from '@insurance-verification/schema';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { withRows } from '../tools/held-item.ts';
import type { ToolContext } from '../tools/tool-context.ts';

const uriOf = (name: string) => `iv://payers/${encodeURIComponent(name)}`;

/** Each payer's portal, phone number and notes. */
export function addPayers(server: McpServer, { client }: ToolContext, { Payer }: Schemas): void {
  server.registerResource(
    'payer',
    new ResourceTemplate('iv://payers/{name}', {
      list: () => ({
        resources: Payer.options.map((name) => ({ uri: uriOf(name), name, title: `Payer: ${name}` })),
      }),
      complete: { name: (begun) => Payer.options.filter((name) => name.startsWith(begun)) },
    }),
    {
      description: 'How to reach a payer, and the notes of those who have worked with it.',
      mimeType: 'application/json',
    },
    async ({ href }) => {
      const { items } = await client.work.payers();
      const payer = items.find(({ name }) => uriOf(name) === href);
      if (!payer) throw new ResourceNotFoundError(href);
      return {
        contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(withRows(payer)) }],
      };
    },
  );
}
