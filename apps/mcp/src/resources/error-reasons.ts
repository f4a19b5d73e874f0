import { ERROR_REASONS } from '@insurance-verification/schema';
import type { McpServer } from '@modelcontextprotocol/server';

const URI = 'iv://error-reasons';

const TEXT = JSON.stringify(
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
    URI,
    {
      title: 'Error reasons',
      description:
        'Every reason why a verification or a delivery fails: its meaning, who has to act, and what may help.',
      mimeType: 'application/json',
    },
    () => ({ contents: [{ uri: URI, mimeType: 'application/json', text: TEXT }] }),
  );
}
