import type { AccessTables } from './access/tables.ts';
import type { AuditTables } from './audit/tables.ts';
import type { DeliveryTables } from './delivery/tables.ts';
import type { EncryptionTables } from './encryption/tables.ts';
import type { FactTables } from './facts/tables.ts';
import type { IntakeTables } from './intake/tables.ts';
import type { LimitTables } from './limits/tables.ts';
import type { OutputTables } from './output/tables.ts';
import type { RetentionTables } from './retention/tables.ts';
import type { StaffTables } from './staff/tables.ts';
import type { VerificationTables } from './verification/tables.ts';

/**
 * Column names are the database's and never leave this package. Every `bytea` except digests is sealed (see `Vault`).
 */
export interface Tables
  extends
    AccessTables,
    AuditTables,
    EncryptionTables,
    IntakeTables,
    VerificationTables,
    OutputTables,
    DeliveryTables,
    LimitTables,
    RetentionTables,
    StaffTables,
    FactTables {}
