import {
  isInitializeRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** The proxy's own `initialize`; the answer with this id is not for the agent. */
const initialize = {
  jsonrpc: '2.0' as const,
  id: 'iv-mcp',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'iv-mcp', version: '1' } },
};

/** Milliseconds that the end of a session may take once the agent has closed stdin. */
const END_MS = 2_000;

/** A stream that breaks is opened again for as long as its session may be known. */
const reconnectionOptions = {
  initialReconnectionDelay: 1_000,
  reconnectionDelayGrowFactor: 1.5,
  maxReconnectionDelay: 5_000,
  maxRetries: 100,
};

/**
 * Passes messages between stdin and stdout and the service's `/mcp`. It has a session there, whichever protocol the
 * agent speaks: the session's stream shows that the agent is connected, so that its leases are renewed.
 */
export async function startProxy(url: URL, apiKey: string): Promise<void> {
  const agent = new StdioServerTransport();
  const requestInit = { headers: { 'x-key': apiKey } };
  const service = new StreamableHTTPClientTransport(url, { requestInit, reconnectionOptions });
  const calls = new Map<RequestId, AbortController>();
  let session: Promise<void> | undefined;

  const openSession = async () => {
    await service.send(initialize);
    await service.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  };
  /** Keeps a session that is being opened; after a failure the next message opens another. */
  const begin = (opening: Promise<void>) => {
    session = opening;
    opening.catch(() => (session = undefined));
    return opening;
  };
  const reply = (message: JSONRPCMessage) => void agent.send(message).catch(() => agent.close());
  const fail = (id: RequestId | undefined, message: string) => {
    if (id !== undefined && calls.delete(id))
      reply({ jsonrpc: '2.0', id, error: { code: -32_000, message } });
  };

  const pass = async (message: JSONRPCMessage) => {
    // Over HTTP a client that no longer waits closes the connection of its call.
    if ('method' in message && message.method === 'notifications/cancelled') {
      const cancelled = message.params?.['requestId'] as RequestId;
      calls.get(cancelled)?.abort();
      calls.delete(cancelled);
      return;
    }
    const id = isJSONRPCRequest(message) ? message.id : undefined;
    const calling = new AbortController();
    if (id !== undefined) calls.set(id, calling);
    const onRequestStreamEnd = () => fail(id, `${url.origin} sent no answer.`);
    const send = () => service.send(message, { requestSignal: calling.signal, onRequestStreamEnd });
    try {
      if (isInitializeRequest(message)) return await begin(send());
      const used = session ?? begin(openSession());
      await used;
      await send().catch(async (err: unknown) => {
        // The service was restarted, or has forgotten a session that was silent for an hour.
        if (!(err instanceof SdkHttpError && err.status === 404)) throw err;
        await (session === used ? begin(openSession()) : session);
        await send();
      });
    } catch (err) {
      fail(id, describe(err, url));
    }
  };

  Object.assign(agent, {
    onmessage: pass,
    onclose: async () => {
      setTimeout(() => process.exit(), END_MS).unref();
      await service.terminateSession().catch(() => undefined); // a service that cannot be reached forgets it
      await service.close();
    },
  });
  Object.assign(service, {
    onmessage: (message: JSONRPCMessage) => {
      if ('id' in message && message.id === initialize.id) return;
      if ('id' in message && !('method' in message) && message.id !== undefined) calls.delete(message.id);
      reply(message);
    },
  });
  await service.start();
  await agent.start();
}

/** The service's own sentence where it sent one. */
function describe(err: unknown, { origin }: URL): string {
  if (!(err instanceof SdkHttpError)) return `${origin} cannot be reached.`;
  const [, sentence] = /"(?:detail|message)":"([^"]*)"/.exec(String(err.data['text'])) ?? [];
  return sentence ?? `${origin} answers ${err.status}.`;
}
