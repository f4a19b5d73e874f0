import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createJsonSchemas, DEFAULT_PAYERS, ERROR_REASONS, PROBLEMS } from '@insurance-verification/schema';
import type { Document } from './compare-documents.ts';
import type { Registries } from './compare-registries.ts';
import type { Schema } from './compare-schemas.ts';
import { type PackageFact, readExports } from './read-exports.ts';

/** What one release promises to everybody who builds on it. */
export interface Contract {
  /** The OpenAPI document of every operation, without texts and examples. */
  readonly document: Document;
  readonly registries: Registries;
  /** Each published JSON Schema by the name of its model, without texts and examples. */
  readonly jsonSchemas: Readonly<
    Record<string, Schema & { readonly $defs?: Readonly<Record<string, Schema>> }>
  >;
  /** Bodies that the release accepts: requests, and outputs of verifiers. */
  readonly fixtures: Readonly<
    Record<'request-info' | 'response-model', readonly { readonly name: string; readonly body: unknown }[]>
  >;
  readonly packages: Readonly<Record<string, PackageFact>>;
}

const packagesFolder = join(import.meta.dirname, '../..');
const baselineFolder = join(import.meta.dirname, '../baseline');

export const PUBLISHED = ['schema', 'client', 'webhook', 'x12'] as const;

/** The contract of the source as it is, with the OpenAPI document of its router. */
export function currentContract(document: unknown): Contract {
  const fixtures = (name: string) =>
    JSON.parse(readFileSync(join(packagesFolder, `schema/fixtures/${name}-valid.json`), 'utf8')) as [];
  return {
    document: withoutTexts(document) as Document,
    registries: {
      problems: Object.fromEntries(
        Object.entries(PROBLEMS).map(([code, { status, trpcCode, retryable }]) => [
          code,
          { status, trpcCode, retryable },
        ]),
      ),
      reasons: Object.fromEntries(
        Object.entries(ERROR_REASONS).map(([reason, { sentence: _sentence, ...fact }]) => [reason, fact]),
      ),
    },
    jsonSchemas: withoutTexts(createJsonSchemas({ payers: DEFAULT_PAYERS })) as Contract['jsonSchemas'],
    fixtures: { 'request-info': fixtures('request-info'), 'response-model': fixtures('response-model') },
    packages: Object.fromEntries(
      PUBLISHED.map((name) => [`@insurance-verification/${name}`, readExports(join(packagesFolder, name))]),
    ),
  };
}

/** The parts, each a file, with how many levels have a line for each member. */
const DEPTHS = { document: 3, registries: 2, jsonSchemas: 2, fixtures: 1, packages: 4 } as const;
const PARTS = Object.keys(DEPTHS) as (keyof Contract)[];

/** The contract of the last release, as `pnpm baseline` wrote it. */
export function lastRelease(): Contract {
  const parts = PARTS.map((part) => [
    part,
    JSON.parse(readFileSync(join(baselineFolder, fileOf(part)), 'utf8')) as unknown,
  ]);
  return Object.fromEntries(parts) as Contract;
}

const fileOf = (part: keyof Contract) => `${part === 'jsonSchemas' ? 'json-schemas' : part}.json`;

/** Writes a contract as that of the last release, a line for each operation, schema and export. */
export function writeBaseline(contract: Contract): void {
  mkdirSync(baselineFolder, { recursive: true });
  for (const file of readdirSync(baselineFolder)) rmSync(join(baselineFolder, file));
  for (const part of PARTS)
    writeFileSync(join(baselineFolder, fileOf(part)), `${inLines(contract[part], DEPTHS[part])}\n`);
}

/** JSON whose outer levels have a line for each member, so that a change of one is a change of its line. */
function inLines(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[\n${value.map((one) => JSON.stringify(one)).join(',\n')}\n]`;
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}: ${inLines(one, depth - 1)}`,
  );
  return `{\n${members.join(',\n')}\n}`;
}

const TEXTS = new Set(['description', 'summary', 'title', 'example', 'examples', 'tags', 'servers', 'info']);

/** A document without what no program depends on. A member of a model may be named like one of these. */
function withoutTexts(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutTexts(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isNames || !TEXTS.has(name))
      .map(([name, one]) => [name, withoutTexts(one, !isNames && HAVE_NAMES.has(name))]),
  );
}

/** The members whose own members are named by the contract. */
const HAVE_NAMES = new Set([
  'properties',
  'schemas',
  'responses',
  'headers',
  'parameters',
  'paths',
  'webhooks',
  '$defs',
  'content',
]);
