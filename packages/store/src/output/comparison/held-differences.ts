import {
  type AskedMember,
  type ComparedValue,
  initialsOf,
  type ResponseModel,
  type ResultMember,
  type ValueDifference,
} from '@insurance-verification/schema';
import type { Vault } from '../../encryption/vault.ts';
import type { Store } from '../../open-store.ts';
import type { OpenedRequest, StoredFinding } from '../apply-finding.ts';
import type { ResultFinding } from '../finding.ts';
import { heldOwner, heldPlace, type HeldRef } from '../held/held-seal.ts';
import { compareValues } from './compare-values.ts';
import { COMPARED_FIELDS, type ComparedField } from './compared-fields.ts';

/**
 * The content of `held_output.differences`: which fields a held output says otherwise, without the values. Paths of
 * {@link COMPARED_FIELDS}, each once; what is only written otherwise is left out. It is found once, since a stranger
 * chooses how much there is to compare, and read with every list.
 */
export interface HeldDifferences {
  /** From what the request asks. */
  readonly asked: readonly ComparedPath[];
  /** From the result that the request had. */
  readonly standing: readonly ComparedPath[];
  /** That result's version; 0 where there was none. */
  readonly version: number;
  /** Of the patient's name, as the request has it; null where it has no letters. */
  readonly initials: string | null;
}

type ComparedPath = keyof typeof COMPARED_FIELDS;

/** What an output says otherwise than the request that it names. @throws {SealBrokenError} */
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

/** The current result of a request; null before the first. @throws {SealBrokenError} */
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
    ...(await vault.openJson<StoredFinding>({ accountId }, `result.body:${id}.${version}`, body)),
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
export function sealDifferences(vault: Vault, ref: HeldRef, differences: HeldDifferences): Promise<Buffer> {
  return vault.seal(heldOwner(ref), heldPlace('differences', ref), JSON.stringify(differences));
}

/** @throws {SealBrokenError} */
export function openDifferences(vault: Vault, ref: HeldRef, sealed: Buffer): Promise<HeldDifferences> {
  return vault.openJson<HeldDifferences>(heldOwner(ref), heldPlace('differences', ref), sealed);
}

/** The member of a request's input that a path of a result repeats, as the API names it. */
export type MemberOf<Path> = Path extends `/request/input/patient_info/${infer Member}`
  ? Member
  : Path extends `/request/input/${infer Block}/${infer Member}`
    ? `${Block}.${Member}`
    : Path extends `/request/input/${infer Member}`
      ? Member
      : never;

const INPUT = '/request/input/';

/** The members of what was asked that an output says otherwise, each once, in a coverage as in what it repeats. */
export function askedMembersOf({ asked }: HeldDifferences): AskedMember[] {
  const fields: Readonly<Record<string, ComparedField>> = COMPARED_FIELDS;
  const paths = new Set(asked.map((path): string => fields[path]?.[2] ?? path));
  return [...paths]
    .filter((path) => path.startsWith(INPUT))
    .map(
      (path) =>
        path
          .slice(INPUT.length)
          .replace(/^patient_info\//, '')
          .replace('/', '.') as AskedMember,
    );
}

/** The member of a result that a path leads to, as the API names it. */
export type ResultMemberOf<Path> = Path extends `/insurance_data/*/${string}_info/${infer Member}`
  ? Member
  : Path extends `/insurance_data/*/${infer Member}`
    ? Member
    : Path extends `/request/${infer Member extends 'state' | 'error_reason'}`
      ? Member
      : never;

/** The members of the result that the request had which an output says otherwise, each once. */
export function resultMembersOf({ standing }: HeldDifferences): ResultMember[] {
  return [...new Set(standing.map((path) => path.slice(path.lastIndexOf('/') + 1) as ResultMember))];
}
