import { ERROR_REASONS, type Schemas } from '@insurance-verification/schema';
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ToolContext } from './tools/tool.ts';

const REASONS_URI = 'iv://error-reasons';

const REASONS_TEXT = JSON.stringify(
  Object.entries(ERROR_REASONS).map(([reason, { sentence, fixedBy, retryable, nextChannelMayHelp }]) => ({
    error_reason: reason,
    meaning: sentence,
    fixed_by: fixedBy,
    retryable,
    next_channel_may_help: nextChannelMayHelp,
  })),
);

/** The registry of error reasons. */
export function addErrorReasons(server: McpServer): void {
  server.registerResource(
    'error_reasons',
    REASONS_URI,
    {
      title: 'Error reasons',
      description:
        'Every reason why a verification or a delivery fails: its meaning, who has to act, and what may help.',
      mimeType: 'application/json',
    },
    () => ({ contents: [{ uri: REASONS_URI, mimeType: 'application/json', text: REASONS_TEXT }] }),
  );
}

const uriOf = (name: string) => `iv://payers/${encodeURIComponent(name)}`;

/** Each payer's portal, phone number and notes. */
export function addPayers(server: McpServer, { call }: ToolContext, { Payer }: Schemas): void {
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
      const { items } = await call('work.payers', undefined);
      const payer = items.find(({ name }) => uriOf(name) === href);
      if (!payer) throw new ResourceNotFoundError(href);
      return {
        contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(payer) }],
      };
    },
  );
}
