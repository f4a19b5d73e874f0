import type { Worker } from 'node:cluster';

/** What Node's cluster sends besides the program's own messages: lib/internal/cluster/utils.js. */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Passes a connection on to another worker when the one that it was handed to is killed before it takes it. Node waits
 * for that worker's answer for ever, and so would the client: 19 after 20 kills under load. The answer is given here:
 * it did not take the connection.
 */
export function passOnConnections(worker: Worker): void {
  const { process: child } = worker;
  const handed = new Set<number>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && message.seq !== undefined)
      handed.add(message.seq);
    return send(message, ...rest);
  };
  child.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) handed.delete(ack);
  });
  // Not at `exit`: an answer may still lie in the channel, and the connection that it is for is lost with its worker.
  // Not at `disconnect`: it never comes while a connection is on its way.
  child.once('close', () => {
    worker.disconnect(); // for the same reason, Node may still have it on its list
    for (const ack of handed)
      child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false }, undefined);
  });
}
