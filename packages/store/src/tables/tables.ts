import type { AccessTables, LimitTables } from './access.ts';
import type { AuditTables } from './audit.ts';
import type { BatchTables } from './batches.ts';
import type { DeliveryTables } from './delivery.ts';
import type { EncryptionTables } from './encryption.ts';
import type { FactTables } from './facts.ts';
import type { IntakeTables } from './intake.ts';
import type { OutputTables } from './output.ts';
import type { RetentionTables } from './retention.ts';
import type { StaffTables } from './staff.ts';
import type { VerificationTables } from './verification.ts';

/**
 * Column names are the database's and never leave this package. Every `bytea` except digests is encrypted (see `Vault`).
 */
export interface Tables
  extends
    AccessTables,
    AuditTables,
    EncryptionTables,
    IntakeTables,
    BatchTables,
    VerificationTables,
    OutputTables,
    DeliveryTables,
    LimitTables,
    RetentionTables,
    StaffTables,
    FactTables {}
