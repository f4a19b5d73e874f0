import type { Generated, GeneratedAlways } from 'kysely';

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
  purpose: 'encrypt' | 'index';
  account_id: string | null;
  master_key_id: string;
  wrapped: Buffer;
  created_at: Generated<Date>;
}
