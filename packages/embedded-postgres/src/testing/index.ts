/** `@insurance-verification/embedded-postgres/testing`: servers that tests start otherwise than a program does. */
export { locateBinaries, reachableBinaries } from '../binaries.ts';
export { findFreePort, spawnServer } from '../server-process.ts';
export { chooseServerUser, giveClusterToUser } from '../user.ts';
export { removeDeadRuns } from './remove-dead-runs.ts';
