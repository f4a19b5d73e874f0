import type { ChildProcess } from 'node:child_process';

/** What Node's cluster sends besides the program's own messages: lib/internal/cluster/utils.js. */
interface ClusterMessage {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Passes connections on to another worker when the one that they were handed to dies before it has taken them. Node
 * waits for its answer for ever, and so would their clients: 19 after 20 kills under load. The dead worker's answer is
 * given here, and says that it did not take the connection.
 */
export function passOnConnections(worker: ChildProcess): void {
  const handed = new Set<number>();
  const send = worker.send.bind(worker) as (...args: unknown[]) => boolean;
  worker.send = (message: ClusterMessage, ...rest: unknown[]) => {
    if (message.cmd === 'NODE_CLUSTER' && message.act === 'newconn' && message.seq !== undefined)
      handed.add(message.seq);
    return send(message, ...rest);
  };
  worker.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) handed.delete(ack);
  });
  worker.once('exit', () => {
    // Node takes the worker off its list in this event too.
    setImmediate(() => {
      for (const ack of handed)
        worker.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false }, undefined);
    });
  });
}
