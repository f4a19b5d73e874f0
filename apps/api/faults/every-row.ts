import { frozenPrimary } from './cluster/frozen-primary.ts';
import { frozenStandby } from './cluster/frozen-standby.ts';
import { killedPrimary } from './cluster/killed-primary.ts';
import { laggingStandby } from './cluster/lagging-standby.ts';
import { switchover } from './cluster/switchover.ts';
import { connectionCutAtCommit } from './database/connection-cut-at-commit.ts';
import { diskFull } from './database/disk-full.ts';
import { exhaustedPool } from './database/exhausted-pool.ts';
import { halfOpenConnections } from './database/half-open-connections.ts';
import { hangingCommits } from './database/hanging-commits.ts';
import { heldSnapshot } from './database/held-snapshot.ts';
import { killDatabase } from './database/kill-database.ts';
import { killedBackends } from './database/killed-backends.ts';
import { poisonRows } from './database/poison-rows.ts';
import { restartingDatabase } from './database/restarting-database.ts';
import { transactionPooler } from './database/transaction-pooler.ts';
import type { FaultRow } from './fault-row.ts';
import { pickyPayers } from './payers/picky-payers.ts';
import { batchesUnderKills } from './processes/batches-under-kills.ts';
import { canceledBatchUnderKills } from './processes/canceled-batch-under-kills.ts';
import { eventsUnderKills } from './processes/events-under-kills.ts';
import { floodedOpenEndpoint } from './processes/flooded-open-endpoint.ts';
import { killApi } from './processes/kill-api.ts';
import { killAtNamedPoints } from './processes/kill-at-named-points.ts';
import { killWorker } from './processes/kill-worker.ts';
import { pausedWorker } from './processes/paused-worker.ts';
import { payerAway } from './processes/payer-away.ts';
import { races } from './processes/races.ts';
import { rollingRestarts } from './processes/rolling-restarts.ts';
import { badCertificates } from './receivers/bad-certificates.ts';
import { deadHost } from './receivers/dead-host.ts';
import { forbiddenAddresses } from './receivers/forbidden-addresses.ts';
import { hostileReceivers } from './receivers/hostile-receivers.ts';
import { receiverAnswers } from './receivers/receiver-answers.ts';
import { simulation } from './simulation/simulation.ts';

/** The rows of the fault matrix, in order. */
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
  floodedOpenEndpoint,
  switchover,
  killedPrimary,
  frozenStandby,
  frozenPrimary,
  laggingStandby,
  eventsUnderKills,
  batchesUnderKills,
  canceledBatchUnderKills,
  payerAway,
  pickyPayers,
  heldSnapshot,
];
