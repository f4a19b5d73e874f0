import type { DocumentedApi } from '../http/pages/docs.ts';
import type { App } from '../procedure/context/app.ts';
import type { Mcp } from './serve-mcp.ts';

/** Loads the transport with its first call: the SDK takes 14 MB and 0.1 s of a start. */
export function createMcp(app: App, api: DocumentedApi): Mcp {
  let serving: Promise<Mcp> | undefined;
  const load = async () => (await import('./serve-mcp.ts')).serveMcp(app, api);
  return {
    answer: async (koa) => (await (serving ??= load())).answer(koa),
    close: async () => (await serving)?.close(),
  };
}
