import * as z from 'zod';
import { dateTime } from '../field/date.ts';
import { list } from '../field/list.ts';
import { enumeration, model } from '../model.ts';
import { cursorField, limitField, nextCursorField } from '../page.ts';

const count = () => z.int().min(0);
const lineId = () => z.string().meta({ description: 'The id of a line of the audit.' });

/** A signed seal over a range of the audit's lines. */
export const AuditSeal = model('AuditSeal', 'A signed statement of what a range of the audit’s lines is.', {
  seal: z.int().min(1).meta({ description: 'Its number, from 1 without a gap.' }),
  sealed_at: dateTime().meta({ description: 'When it was made.' }),
  first_id: lineId().meta({ description: 'The first id of its range.' }),
  last_id: lineId().meta({ description: 'The last id of its range; not each id in it was ever a line.' }),
  line_count: count().meta({ description: 'The lines of its range.' }),
  tree_size: count().meta({ description: 'All lines up to its last one.' }),
  misdated_count: count().meta({
    description:
      'The lines of its range whose time is not when they were written: before the seal before it by more than a minute, or after it.',
  }),
  root: z.string().meta({ description: 'The root of the tree of all these lines, base64.' }),
  note: z.string().meta({
    description: 'What was signed, with the signature: a checkpoint as of c2sp.org/tlog-checkpoint.',
  }),
});
export type AuditSeal = z.infer<typeof AuditSeal>;

/** The seals to list, newest first. */
export const ListSeals = model('ListSeals', 'Which seals of the audit to list, newest first.', {
  limit: limitField(),
  cursor: cursorField(),
});
/** {@link ListSeals} as a type, after the default is filled in. */
export type ListSeals = z.infer<typeof ListSeals>;

/** The holder of a lock that sealing waits for. */
export const LockHolder = model('LockHolder', 'Who holds a lock that the sealing waits for.', {
  pid: z.int().nullable().meta({ description: 'The database’s process; null for a prepared transaction.' }),
  application: z.string().nullable().meta({ description: 'As the client calls itself; null when unknown.' }),
  role: z.string().nullable().meta({ description: 'The database’s role; null when unknown.' }),
});
export type LockHolder = z.infer<typeof LockHolder>;

/** A record that the audit has next to its entries. */
export const SealRecord = enumeration('SealRecord', 'A record that the audit has next to its entries.', [
  'seal',
  'drop',
  'resume',
]);
export type SealRecord = z.infer<typeof SealRecord>;

/** Why sealing stopped. */
export const SealingStop = model('SealingStop', 'Why nothing is sealed any more.', {
  cause: z.enum(['differs', 'damaged', 'blocked']).meta({
    description:
      'differs: the database is not what the file of seals has, which the owner of the database cannot write. damaged: the newest seal was changed. blocked: somebody has held a lock, or a transaction that may have written a line, for half a minute or more.',
  }),
  of: SealRecord.nullable().meta({
    description:
      'What differs: a seal, the record of dropped lines, or the record that sealing was resumed; null with blocked.',
  }),
  number: z.int().min(0).nullable().meta({
    description: 'Its number; null where it cannot be read, and with blocked.',
  }),
  fault: z.string().nullable().meta({
    description:
      'What is wrong with it in the database: absent, it is gone; differs, it is another; or an AuditFault. unreadable: the end of the file has no seal. Null with blocked.',
  }),
  holders: list(LockHolder).meta({ description: 'Who blocks it; none for another cause.' }),
  since: dateTime().meta({ description: 'When the process that answers found it first.' }),
});
export type SealingStop = z.infer<typeof SealingStop>;

/** One page of the seals, and what is not sealed yet. */
export const AuditSealList = model('AuditSealList', 'One page of the seals, and what is not sealed yet.', {
  items: list(AuditSeal).meta({ description: 'The seals, newest first.' }),
  next_cursor: nextCursorField(),
  verifier_keys: list(z.string()).meta({
    description:
      'The public keys that verify the seals, name+id+base64, the one that signs now first. None where nothing is sealed.',
  }),
  unsealed_since: dateTime()
    .nullable()
    .meta({ description: 'When the oldest line was written that is not sealed yet; null when all are.' }),
  unsealed_count: count().meta({ description: 'About how many lines are not sealed yet.' }),
  stopped: SealingStop.nullable().meta({
    description:
      'Why the process that answers refuses to seal; null while it does not. After a restore `iv audit resume` lets it continue.',
  }),
});
export type AuditSealList = z.infer<typeof AuditSealList>;

/** Where verification continues. */
export const VerifyAudit = model('VerifyAudit', 'Where the verification of the audit continues.', {
  cursor: cursorField(),
});
export type VerifyAudit = z.infer<typeof VerifyAudit>;

/** What can be wrong with a range of the audit. */
export const AuditFault = z
  .enum([
    'missing_seal',
    'forged',
    'unknown_key',
    'broken_chain',
    'lines_removed',
    'lines_added',
    'lines_changed',
    'drop_forged',
    'drop_unknown_key',
    'lines_left',
  ])
  .meta({
    id: 'AuditFault',
    description:
      'What is wrong. missing_seal: the seal is gone. forged: it is not what its key signed. unknown_key: none of the service’s keys signed it. broken_chain: it does not follow from the one before. lines_removed, lines_added, lines_changed: fewer lines are there than were sealed, more, or others. drop_forged, drop_unknown_key: the record that lines were dropped is not what its key signed, or signed by none of the service’s keys. lines_left: the lines are signed off as dropped, and some of them are there.',
  });
export type AuditFault = z.infer<typeof AuditFault>;

/** A range of the audit that is not as it was sealed. */
export const BadRange = model('BadRange', 'A range of the audit that is not as it was sealed.', {
  fault: AuditFault,
  seal: z.int().min(1).meta({ description: 'The number of its seal; of several missing ones the first.' }),
  first_id: lineId().meta({ description: 'The first id of the range.' }),
  last_id: lineId().nullable().meta({ description: 'The last id of the range; null where no seal has it.' }),
  sealed_count: count()
    .nullable()
    .meta({ description: 'The lines that were sealed; null where lines were not compared.' }),
  found_count: count()
    .nullable()
    .meta({ description: 'The lines that are there; null where lines were not compared.' }),
});
export type BadRange = z.infer<typeof BadRange>;

/** A signed record of lines that were dropped with their month. */
export const AuditDrop = model('AuditDrop', 'A signed record of lines that were dropped with their month.', {
  drop: z.int().min(1).meta({ description: 'Its number, from 1 without a gap.' }),
  month: z.string().meta({ description: 'The month that the lines went with, for example 2026-11.' }),
  dropped_at: dateTime().meta({ description: 'When it was signed.' }),
  dropped_by: z.string().meta({ description: 'Who dropped them, as they called themselves.' }),
  first_id: lineId().meta({ description: 'The lowest id of the lines.' }),
  last_id: lineId().meta({
    description: 'The highest; lines between that are of another month may be there still.',
  }),
  line_count: count().meta({ description: 'How many they were.' }),
  first_seal: z.int().min(1).meta({ description: 'The first of the seals that hold them.' }),
  last_seal: z.int().min(1).meta({ description: 'The last of these.' }),
  archive_sha256: z.string().meta({
    description: 'The SHA-256, in hexadecimal, of the archive that has the lines: iv audit archive wrote it.',
  }),
});
export type AuditDrop = z.infer<typeof AuditDrop>;

/** A legal hold that was placed and not ended by the sealed audit, and that is gone or altered in the database. */
export const MissingHold = model(
  'MissingHold',
  'A legal hold that was placed and not ended by the sealed audit, and is missing from the database.',
  {
    hold_id: z.string().meta({ description: 'Its id. It keeps what it held until `holds.end` ends it.' }),
    placed_at: dateTime().meta({ description: 'When it was placed.' }),
    request_id: z
      .string()
      .nullable()
      .meta({ description: 'The request that it covers; null where it covers a whole account.' }),
  },
);
export type MissingHold = z.infer<typeof MissingHold>;

/** A table of the audit, or one whose rows grant access, that differs from the schema. */
export const BadTable = model(
  'BadTable',
  'A table of the audit, or one whose rows give power, that is not as the schema makes it.',
  {
    table: z.string().meta({ description: 'Its name.' }),
    fault: z.enum(['not_plain', 'row_security', 'policies', 'rules', 'trigger_off', 'other_trigger']).meta({
      description:
        'not_plain: it is not there, a view, a foreign table, unlogged, or one that inherits or is inherited from. row_security, policies, rules: it may leave rows out, or answer something else. trigger_off: what refuses changes is gone, off, or another. other_trigger: it has one that the schema does not make.',
    }),
  },
);
export type BadTable = z.infer<typeof BadTable>;

/** Consecutive seals that were made while the same tables differed from the schema. */
export const AlteredWhenSealed = model(
  'AlteredWhenSealed',
  'Seals in a row that were made while the same tables were not as the schema makes them.',
  {
    first_seal: z.int().min(1).meta({ description: 'The first of them.' }),
    last_seal: z.int().min(1).meta({ description: 'The last of them.' }),
    tables: list(z.string()).meta({
      description:
        'As the seals state it: a table and a fault of BadTable, for example staff:rules; +3 means three more.',
    }),
  },
);
export type AlteredWhenSealed = z.infer<typeof AlteredWhenSealed>;

/** How far the audit is verified, or the first altered range. */
export const AuditVerification = model(
  'AuditVerification',
  'How far the audit is verified, or the first altered range.',
  {
    verified_through: count().meta({
      description: 'The last seal that is verified, with all before it; 0 for none.',
    }),
    seal_count: count().meta({ description: 'The seals whose lines this call has compared.' }),
    line_count: count().meta({ description: 'Their lines.' }),
    dropped: list(AuditDrop).meta({
      description:
        'What was dropped with its month and signed off, among the seals of this call: their chain is verified, their lines are in the archive.',
    }),
    bad_tables: list(BadTable).meta({
      description:
        'The tables that are not as the schema makes them: what they show may be something else than what was written.',
    }),
    missing_holds: list(MissingHold).meta({
      description:
        'The legal holds that were placed and not ended, and were removed, ended or turned to something else in the database.',
    }),
    altered_when_sealed: list(AlteredWhenSealed).meta({
      description:
        'The seals of this call that state that tables were not as the schema makes them when they were made: lines may have been kept from being written before.',
    }),
    bad_range: BadRange.nullable().meta({ description: 'The first range at fault; null where none is.' }),
    next_cursor: z.string().nullable().meta({
      description: 'The cursor of the next call; null at the end, and at a bad range.',
    }),
  },
);
export type AuditVerification = z.infer<typeof AuditVerification>;
