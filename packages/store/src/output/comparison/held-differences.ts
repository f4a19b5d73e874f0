import {
  type AskedMember,
  type ComparedValue,
  initialsOf,
  type ResponseModel,
  type ResultMember,
  type ValueDifference,
} from '@insurance-verification/schema';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { within } from '../../access/reach.ts';
import { decryptOrNull } from '../../encryption/encrypt.ts';
import type { Vault } from '../../encryption/vault.ts';
import { requestModelColumns } from '../../intake/read-request.ts';
import type { Store } from '../../open-store.ts';
import { PAGE_BYTES_MAX } from '../../page.ts';
import {
  type FoundRequestRow,
  type OpenedRequest,
  openFoundRequest,
  type ResultFinding,
  type StoredFinding,
} from '../apply-findings.ts';
import {
  heldOwner,
  heldPlace,
  type HeldRef,
  openHeldBody,
  readEncryptedHeld,
} from '../held/held-encryption.ts';
import { compareValues } from './compare-values.ts';
import { COMPARED_FIELDS, type ComparedField } from './compared-fields.ts';

/** A held output as a list reads it. */
interface ListedHeld extends HeldRef {
  readonly byte_count: number;
  readonly differences: Buffer | null;
}

interface Differing {
  readonly caller: Caller;
  readonly heldOutputs: readonly ListedHeld[];
  /** The requests that they name. */
  readonly asked: readonly FoundRequestRow[];
}

/**
 * The fields in which each held output differs from its request, by held id; none if either cannot be decrypted. An
 * output of a sender without a key is compared when it is first listed: a look-up on arrival would show the sender
 * whether the request exists.
 */
export async function readDifferences(
  store: Store,
  { caller, heldOutputs, asked }: Differing,
): Promise<Map<string, HeldDifferences>> {
  const found = new Map<string, HeldDifferences>();
  const isNew = ({ differences }: ListedHeld) => differences === null;
  for (const row of heldOutputs) {
    const opened =
      row.differences && (await decryptOrNull(openDifferences(store.vault, row, row.differences)));
    if (opened) found.set(row.id, opened);
  }
  for (const batch of batchesOf(heldOutputs.filter(isNew)))
    for (const [id, differences] of await compareNew(store, { caller, heldOutputs: batch, asked }))
      found.set(id, differences);
  return found;
}

/** Compares outputs for the first time, and stores the differences of those that did not change meanwhile. */
async function compareNew(
  { db, vault }: Store,
  { caller, heldOutputs, asked }: Differing,
): Promise<ReadonlyMap<string, HeldDifferences>> {
  const requests = new Map(asked.map((row) => [row.id, row]));
  const found = new Map<string, HeldDifferences>();
  const encrypted: Buffer[] = [];
  for (const row of await readEncryptedHeld(db, { caller, heldIds: heldOutputs.map(({ id }) => id) })) {
    const named = requests.get(row.request_id ?? '');
    const request = named && (await decryptOrNull(openFoundRequest(vault, named)));
    const offered = await decryptOrNull(openHeldBody(vault, row));
    const differences =
      request && offered && (await decryptOrNull(findDifferences(db, vault, { offered, request })));
    if (!differences) continue;
    found.set(row.id, differences);
    encrypted.push(await encryptDifferences(vault, row, differences));
  }
  const byteCounts = new Map(heldOutputs.map(({ id, byte_count: byteCount }) => [id, byteCount]));
  const ids = [...found.keys()];
  // Skips locked rows: they are being settled or erased. An erasure that rewrites one changes its size.
  if (ids.length > 0)
    await sql`
      update held_output set differences = noted.differences
      from unnest(${ids}::text[], ${encrypted}::bytea[], ${ids.map((id) => byteCounts.get(id) ?? 0)}::int[])
        as noted (id, differences, byte_count)
      where held_output.id = noted.id and held_output.byte_count = noted.byte_count
        and held_output.id = any (array(
          select id from held_output where id = any (${ids}) for no key update skip locked))`.execute(db);
  return found;
}

/** As many at once as a page of requests may hold: each may be a megabyte, and a page has a hundred. */
function batchesOf(heldOutputs: readonly ListedHeld[]): ListedHeld[][] {
  const batches: ListedHeld[][] = [];
  let bytesLeft = 0;
  for (const heldOutput of heldOutputs) {
    bytesLeft -= heldOutput.byte_count;
    if (bytesLeft < 0) {
      batches.push([]);
      bytesLeft = PAGE_BYTES_MAX - heldOutput.byte_count;
    }
    batches.at(-1)?.push(heldOutput);
  }
  return batches;
}

/**
 * The content of `held_output.differences`: the fields in which a held output differs, without the values. Paths of
 * {@link COMPARED_FIELDS}, each once; differences of form only are left out. It is computed once, since an anonymous
 * sender decides how much there is to compare, and read with every list.
 */
interface HeldDifferences {
  /** Different from the request. */
  readonly asked: readonly ComparedPath[];
  /** Different from the result that the request had. */
  readonly standing: readonly ComparedPath[];
  /** That result's version; 0 where there was none. */
  readonly version: number;
  /** Of the patient's name, as the request has it; null where it has no letters. */
  readonly initials: string | null;
}

type ComparedPath = keyof typeof COMPARED_FIELDS;

/** The fields in which an output differs from its request and from the current result. @throws {DecryptionError} */
export async function findDifferences(
  db: Store['db'],
  vault: Vault,
  { offered, request }: { readonly offered: ResponseModel; readonly request: OpenedRequest },
): Promise<HeldDifferences> {
  const values = compareValues({
    asked: {
      request_id: request.id,
      input: request.input,
      received_timestamp: request.receivedTimestamp,
    },
    standing: await readStanding(db, vault, request),
    offered,
  });
  return {
    asked: pathsOf(values, ({ asked_difference: difference }) => difference),
    standing: pathsOf(values, ({ standing_difference: difference }) => difference),
    version: request.version,
    initials: initialsOf(request.input.patient_info.name),
  };
}

/** The current result of a request; null before the first. @throws {DecryptionError} */
export async function readStanding(
  db: Store['db'],
  vault: Vault,
  { id, accountId, version }: Pick<OpenedRequest, 'id' | 'accountId' | 'version'>,
): Promise<ResultFinding | null> {
  if (version === 0) return null;
  const { outcome, body } = await db
    .selectFrom('result')
    .select(['outcome', 'body'])
    .where('request_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow();
  return {
    outcome,
    ...(await vault.decryptJson<StoredFinding>({ accountId }, `result.body:${id}.${version}`, body)),
  };
}

function pathsOf(
  values: readonly ComparedValue[],
  differenceIn: (value: ComparedValue) => ValueDifference,
): ComparedPath[] {
  const paths = new Set<string>();
  for (const value of values) {
    const difference = differenceIn(value);
    if (difference !== 'none' && difference !== 'form')
      paths.add(value.field.replace(/^\/insurance_data\/\d+/, '/insurance_data/*'));
  }
  return [...paths] as ComparedPath[];
}

/** The value of `held_output.differences`. */
export function encryptDifferences(
  vault: Vault,
  ref: HeldRef,
  differences: HeldDifferences,
): Promise<Buffer> {
  return vault.encrypt(heldOwner(ref), heldPlace('differences', ref), JSON.stringify(differences));
}

/** @throws {DecryptionError} */
export function openDifferences(vault: Vault, ref: HeldRef, encrypted: Buffer): Promise<HeldDifferences> {
  return vault.decryptJson<HeldDifferences>(heldOwner(ref), heldPlace('differences', ref), encrypted);
}

/** `name` is a word of every language that clients are generated for. */
type Named<Member> = Member extends 'name' ? 'patient_name' : Member;

const named = (member: string) => (member === 'name' ? 'patient_name' : member);

/** The member of a request's input that a path of a result repeats, as the API names it. */
export type MemberOf<Path> = Path extends `/request/input/patient_info/${infer Member}`
  ? Named<Member>
  : Path extends `/request/input/${infer Block}/${infer Member}`
    ? `${Block}.${Member}`
    : Path extends `/request/input/${infer Member}`
      ? Member
      : never;

const INPUT = '/request/input/';

/**
 * The members of a request's input in which an output differs, each once, whether in a coverage or in the repeated
 * request.
 */
export function askedMembersOf({ asked }: HeldDifferences): AskedMember[] {
  const fields: Readonly<Record<string, ComparedField>> = COMPARED_FIELDS;
  const paths = new Set(asked.map((path): string => fields[path]?.[2] ?? path));
  return [...paths]
    .filter((path) => path.startsWith(INPUT))
    .map(
      (path) =>
        named(
          path
            .slice(INPUT.length)
            .replace(/^patient_info\//, '')
            .replace('/', '.'),
        ) as AskedMember,
    );
}

/** The member of a result that a path leads to, as the API names it. */
export type ResultMemberOf<Path> = Path extends `/insurance_data/*/${string}_info/${infer Member}`
  ? Named<Member>
  : Path extends `/insurance_data/*/${infer Member}`
    ? Member
    : Path extends `/request/${infer Member extends 'state' | 'error_reason'}`
      ? Member
      : never;

/** The members in which an output differs from the result that the request had, each once. */
export function resultMembersOf({ standing }: HeldDifferences): ResultMember[] {
  return [...new Set(standing.map((path) => named(path.slice(path.lastIndexOf('/') + 1)) as ResultMember))];
}

/** The requests within the caller's reach that held outputs are compared with; the account's name is a JSON string. */
export function selectAsked(db: Store['db'], caller: Caller) {
  return db
    .selectFrom('request')
    .innerJoin('account', 'account.id', 'request.account_id')
    .select(requestModelColumns.map((column) => `request.${column}` as const))
    .select(['request.erased_at', 'request.payer_id', 'request.payer_name', 'request.version'])
    .select(['account.name as account_name', 'account.mode as account_mode'])
    .where(within(caller, 'request.account_id'));
}
