import type { Agent, buildConnector } from 'undici';

/** As many as one destination may have in flight (delivery's cap is 10), plus room for connections that are closing. */
const SOCKETS_PER_ORIGIN_MAX = 16;

/**
 * The one connection pool of a sender. undici is loaded here rather than at the top: it needs Node 22.19, while
 * signing, verifying and planning work on Node 20, and a receiver that only verifies need not load a client.
 */
export async function openAgent(connect: buildConnector.connector): Promise<Agent> {
  const { Agent } = await import('undici');
  return new Agent({
    connect,
    connections: SOCKETS_PER_ORIGIN_MAX,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 16_384,
    // Short, because a request on a connection that the receiver is closing is a lost attempt; Node's server closes
    // after 5 s.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 10_000,
  });
}
