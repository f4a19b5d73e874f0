import { claimDeliveriesFunction } from '../delivery/claim-due-deliveries.sql.ts';
import { finishAttemptsFunction } from '../delivery/finish-attempts.sql.ts';
import { keepShardsFunction } from '../delivery/keep-shards.sql.ts';
import {
  endpointIsOpenFunction,
  issueIdFunction,
  noteEndpointFunction,
  writeEventsFunction,
} from '../events/write-event.sql.ts';
import { keepX12ExchangesFunction } from '../evidence/x12-exchange.sql.ts';
import type { DatabaseFunction } from '../functions/database-function.ts';
import {
  channelEndFunction,
  insertRequestsFunction,
  keepUntilFunction,
} from '../intake/insert-requests.sql.ts';
import { isWithinFunction, lockRequestsFunction } from '../intake/lock-requests.sql.ts';
import { applyFindingsFunction } from '../output/apply-findings.sql.ts';
import { holdAnonymousOutputFunction, holdKeyedOutputFunction } from '../output/held/hold.sql.ts';
import { findMembersFunction } from '../reading/find-members.sql.ts';
import { newestRequestsFunction } from '../reading/newest-requests.sql.ts';
import { oldestRequestsFunction } from '../reading/oldest-requests.sql.ts';
import { askedBeforeFunction, findOverdueFunction } from '../verification/overdue/find-overdue.sql.ts';
import { callBacksFunction } from '../verification/work/call-backs.sql.ts';
import {
  askedQueuesFunction,
  batchRoomFunction,
  chooseWorkFunction,
} from '../verification/work/choose-work.sql.ts';
import { leaseWorkFunction } from '../verification/work/lease-work.sql.ts';

/**
 * The functions that this version calls; `migrate` creates the missing ones. Functions of older
 * versions stay, since their processes may still run. One costs
 * a row in the catalog.
 */
export const databaseFunctions: readonly DatabaseFunction[] = [
  issueIdFunction,
  endpointIsOpenFunction,
  writeEventsFunction,
  noteEndpointFunction,
  channelEndFunction,
  keepUntilFunction,
  insertRequestsFunction,
  isWithinFunction,
  lockRequestsFunction,
  newestRequestsFunction,
  oldestRequestsFunction,
  findMembersFunction,
  applyFindingsFunction,
  holdKeyedOutputFunction,
  holdAnonymousOutputFunction,
  claimDeliveriesFunction,
  finishAttemptsFunction,
  keepShardsFunction,
  keepX12ExchangesFunction,
  askedBeforeFunction,
  findOverdueFunction,
  callBacksFunction,
  askedQueuesFunction,
  batchRoomFunction,
  chooseWorkFunction,
  leaseWorkFunction,
];
