import { claimDeliveriesFunction } from '../delivery/claim-due-deliveries.sql.ts';
import { finishAttemptsFunction } from '../delivery/finish-attempts.sql.ts';
import type { DatabaseFunction } from '../functions/database-function.ts';
import { insertRequestsFunction } from '../intake/insert-requests.sql.ts';
import { applyFindingsFunction } from '../output/finding/apply-findings.sql.ts';
import { holdAnonymousOutputFunction } from '../output/held/hold-anonymous-output.sql.ts';
import { holdKeyedOutputFunction } from '../output/held/hold-output.sql.ts';
import { keepX12ExchangesFunction } from '../verification/evidence/x12-exchange.sql.ts';
import { findOverdueFunction } from '../verification/overdue/find-overdue.sql.ts';

/**
 * What this version calls; `migrate` creates what is missing, after the migrations. What an older version calls stays,
 * since its processes may still run. A migration drops it (`drop function if exists finish_attempts_0a1b2c3d`), in the
 * release after the one that stopped calling it at the earliest; until then it costs a row of the catalog.
 */
export const databaseFunctions: readonly DatabaseFunction[] = [
  insertRequestsFunction,
  applyFindingsFunction,
  holdKeyedOutputFunction,
  holdAnonymousOutputFunction,
  claimDeliveriesFunction,
  finishAttemptsFunction,
  keepX12ExchangesFunction,
  findOverdueFunction,
];
