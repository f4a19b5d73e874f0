import type { Migration } from 'kysely/migration';
import { firstTables } from './migrations/0001-first-tables.ts';
import { fairDeliveries } from './migrations/0002-fair-deliveries.ts';
import { appliedBootstrap } from './migrations/0003-applied-bootstrap.ts';
import { workQueue } from './migrations/0004-work-queue.ts';
import { x12Exchanges } from './migrations/0005-x12-exchanges.ts';
import { exhaustedDeliveries } from './migrations/0006-exhausted-deliveries.ts';
import { plannedOnce } from './migrations/0007-planned-once.ts';
import { earlierWebhookSecrets } from './migrations/0008-earlier-webhook-secrets.ts';
import { heldShares } from './migrations/0009-held-shares.ts';
import { separatedDuties } from './migrations/0010-separated-duties.ts';
import { rateBudgets } from './migrations/0011-rate-budgets.ts';

/** In order, forward only: a migration that has shipped is never edited, its text is a golden file. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-first-tables': firstTables,
  '0002-fair-deliveries': fairDeliveries,
  '0003-applied-bootstrap': appliedBootstrap,
  '0004-work-queue': workQueue,
  '0005-x12-exchanges': x12Exchanges,
  '0006-exhausted-deliveries': exhaustedDeliveries,
  '0007-planned-once': plannedOnce,
  '0008-earlier-webhook-secrets': earlierWebhookSecrets,
  '0009-held-shares': heldShares,
  '0010-separated-duties': separatedDuties,
  '0011-rate-budgets': rateBudgets,
};
