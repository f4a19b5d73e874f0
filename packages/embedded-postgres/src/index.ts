/** PostgreSQL 18 as a part of a program: in a folder of its own, on loopback, outliving a kill. */
export { type ClusterMark, readMark, UNFINISHED_PREFIX } from './cluster.ts';
export { EmbeddedServerError } from './embedded-server-error.ts';
export { makeServerFolder } from './make-folder.ts';
export { acquireOwnerLock } from './owner-lock.ts';
export { keepSecret } from './password.ts';
export { isServerOfCluster, readPostmasterFile } from './server-process.ts';
export { type EmbeddedServer, findServer, startServer, type StartServerOptions } from './start.ts';
