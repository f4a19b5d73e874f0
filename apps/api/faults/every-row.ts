import { badCertificates } from './bad-certificates.ts';
import { connectionCutAtCommit } from './connection-cut-at-commit.ts';
import { deadHost } from './dead-host.ts';
import { diskFull } from './disk-full.ts';
import { exhaustedPool } from './exhausted-pool.ts';
import type { FaultRow } from './fault-row.ts';
import { floodedOpenDoor } from './flooded-open-door.ts';
import { forbiddenAddresses } from './forbidden-addresses.ts';
import { halfOpenConnections } from './half-open-connections.ts';
import { hangingCommits } from './hanging-commits.ts';
import { hostileReceivers } from './hostile-receivers.ts';
import { killApi } from './kill-api.ts';
import { killAtNamedPoints } from './kill-at-named-points.ts';
import { killDatabase } from './kill-database.ts';
import { killWorker } from './kill-worker.ts';
import { killedBackends } from './killed-backends.ts';
import { pausedWorker } from './paused-worker.ts';
import { poisonRows } from './poison-rows.ts';
import { races } from './races.ts';
import { receiverAnswers } from './receiver-answers.ts';
import { restartingDatabase } from './restarting-database.ts';
import { rollingRestarts } from './rolling-restarts.ts';
import { simulation } from './simulation.ts';
import { transactionPooler } from './transaction-pooler.ts';

/** The fault matrix, in its order. */
export const everyRow: readonly FaultRow[] = [
  killApi,
  killWorker,
  killAtNamedPoints,
  killDatabase,
  restartingDatabase,
  halfOpenConnections,
  exhaustedPool,
  connectionCutAtCommit,
  killedBackends,
  hostileReceivers,
  forbiddenAddresses,
  badCertificates,
  races,
  pausedWorker,
  poisonRows,
  diskFull,
  rollingRestarts,
  receiverAnswers,
  deadHost,
  simulation,
  transactionPooler,
  hangingCommits,
  floodedOpenDoor,
];
