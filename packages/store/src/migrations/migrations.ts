import type { Migration } from 'kysely/migration';
import { schema } from './numbered/0001-schema.ts';
import { leanerIntake } from './numbered/0002-leaner-intake.ts';
import { deliveryDue } from './numbered/0003-delivery-due.ts';
import { staff } from './numbered/0004-staff.ts';
import { hourlyFacts } from './numbered/0005-hourly-facts.ts';
import { drafts } from './numbered/0006-drafts.ts';
import { signIn } from './numbered/0007-sign-in.ts';
import { queues } from './numbered/0008-queues.ts';
import { queueIndexes } from './numbered/0009-queue-indexes.ts';
import { deliveryAccount } from './numbered/0010-delivery-account.ts';
import { indexesOfThePast } from './numbered/0011-indexes-of-the-past.ts';
import { passkeys } from './numbered/0012-passkeys.ts';
import { memberIndex, memberIndexLookup } from './numbered/0013-member-index.ts';
import { deliveryShards } from './numbered/0014-delivery-shards.ts';
import { deliveryLeases, deliveryLeasesOfBefore } from './numbered/0015-delivery-leases.ts';
import { heldOfRequest } from './numbered/0016-held-of-request.ts';
import { months } from './numbered/0017-months.ts';
import { retention } from './numbered/0018-retention.ts';
import { auditSeals } from './numbered/0019-audit-seals.ts';
import { auditDrops } from './numbered/0020-audit-drops.ts';
import { accountServed } from './numbered/0021-account-served.ts';
import { servedOfBefore } from './numbered/0021-served-of-before.ts';
import { deliveryMonths } from './numbered/0022-delivery-months.ts';
import { requestMonths } from './numbered/0023-request-months.ts';
import { monthChecks } from './numbered/0024-month-checks.ts';
import { queueByRequest } from './numbered/0025-queue-by-request.ts';
import { monthChecksShip } from './numbered/0026-month-checks-ship.ts';
import type { OnlineMigration } from './online/online-migration.ts';

/**
 * In order, forward only: a released migration is never edited; its text is a golden file. Functions that operations
 * call are not part of migrations (see `databaseFunctions`); trigger functions are, since a table has one trigger for
 * the processes of all versions. What takes long on a large table, an index or a move of data, is an online migration of
 * its own; a late one, at the end of a release, if that works without it (see `OnlineMigration`). An index that the
 * version before reads by is dropped in the release after, as a function is.
 */
export const migrations: Readonly<Record<string, Migration | OnlineMigration>> = {
  '0001-schema': schema,
  '0002-leaner-intake': leanerIntake,
  '0003-delivery-due': deliveryDue,
  '0004-staff': staff,
  '0005-hourly-facts': hourlyFacts,
  '0006-drafts': drafts,
  '0007-sign-in': signIn,
  '0008-queues': queues,
  '0009-queue-indexes': queueIndexes,
  '0010-delivery-account': deliveryAccount,
  '0011-indexes-of-the-past': indexesOfThePast,
  '0012-passkeys': passkeys,
  '0013-member-index': memberIndex,
  '0013-member-index-lookup': memberIndexLookup,
  '0014-delivery-shards': deliveryShards,
  '0015-delivery-leases': deliveryLeases,
  '0015-delivery-leases-of-before': deliveryLeasesOfBefore,
  '0016-held-of-request': heldOfRequest,
  '0017-months': months,
  '0018-retention': retention,
  '0019-audit-seals': auditSeals,
  '0020-audit-drops': auditDrops,
  '0021-account-served': accountServed,
  '0021-served-of-before': servedOfBefore,
  '0022-delivery-months': deliveryMonths,
  '0023-request-months': requestMonths,
  '0024-month-checks': monthChecks,
  '0025-queue-by-request': queueByRequest,
  '0026-month-checks-ship': monthChecksShip,
};
