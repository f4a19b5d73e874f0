import { createSecretKey } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Tables } from '../tables/tables.ts';
import { WrongMasterKeyError } from './check-master-keys.ts';
import type { MasterKey, MasterKeys } from './master-keys.ts';
import { type DataKey, open, seal } from './seal.ts';

export type DataKeyRow = Selectable<Tables['data_key']>;

/** The owner of the key. It is authenticated, so one account's wrapped key does not open as another's. */
type Owner = Pick<DataKeyRow, 'purpose' | 'account_id'>;

/** The value of `data_key.wrapped`: a data key's bytes, sealed by a master key. */
export function wrapDataKey(master: MasterKey, owner: Owner, bytes: Uint8Array): Buffer {
  return seal(wrappingKey(master), placeOf(owner), bytes);
}

/** @throws {WrongMasterKeyError} when the wrapping master key is not given. */
export function unwrapDataKey({ all }: MasterKeys, row: DataKeyRow): Buffer {
  const master = all.get(row.master_key_id);
  if (!master) {
    throw new WrongMasterKeyError(
      `ENCRYPTION_KEY: data key ${row.id} is wrapped by master key "${row.master_key_id}", which is not given.`,
    );
  }
  return open(wrappingKey(master), placeOf(row), row.wrapped);
}

const placeOf = ({ purpose, account_id: accountId }: Owner) => `data_key:${purpose}:${accountId}`;

/** No data key has the id 0: master keys seal only `data_key.wrapped`. */
function wrappingKey(master: MasterKey): DataKey {
  return { id: 0, secret: createSecretKey(master.bytes) };
}
