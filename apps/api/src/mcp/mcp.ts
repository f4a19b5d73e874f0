import type { ParameterizedContext } from 'koa';
import type { DocumentedApi } from '../http/pages/docs.ts';
import type { App } from '../procedure/context/app.ts';
import type { CallState } from '../procedure/context/context.ts';

export type McpContext = ParameterizedContext<CallState>;

/** The MCP transport, at `/mcp`. */
export interface Mcp {
  readonly answer: (koa: McpContext) => Promise<void>;
  /** Ends the streams and the renewals; calls under way may finish. */
  readonly close: () => Promise<void>;
}

/** Loads the transport with its first call: the SDK takes 14 MB and 0.1 s of a start. */
export function createMcp(app: App, api: DocumentedApi): Mcp {
  let serving: Promise<Mcp> | undefined;
  const load = async () => (await import('./serve-mcp.ts')).serveMcp(app, api);
  return {
    answer: async (koa) => (await (serving ??= load())).answer(koa),
    close: async () => (await serving)?.close(),
  };
}
