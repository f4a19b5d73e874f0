import type { Generated, GeneratedAlways } from 'kysely';
import type { Instant } from './instant.ts';

export interface EncryptionTables {
  master_key_check: MasterKeyCheckTable;
  data_key: DataKeyTable;
}

interface MasterKeyCheckTable {
  master_key_id: string;
  value: Buffer;
}

interface DataKeyTable {
  id: GeneratedAlways<number>;
  purpose: 'seal' | 'index';
  account_id: string | null;
  master_key_id: string;
  wrapped: Buffer;
  created_at: Generated<Date>;
  /** Values that it sealed, or that a process has reserved to seal. */
  seal_count: Generated<string>;
  /** Since when another seals new values; null while it does. */
  succeeded_at: Instant | null;
}
