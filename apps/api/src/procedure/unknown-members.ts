import type { ValidationError } from '@insurance-verification/schema';
import type { Operation } from '@insurance-verification/schema/contract';
import type * as z from 'zod';
import type { Call } from './context/call.ts';
import { type Outline, outlineOf } from './outline.ts';

/** Maximum characters of all paths together. */
const LENGTH_MAX = 1_000;

/**
 * Names an input's unknown members in a header, before the input is validated: a misspelled field is often a missing
 * one too. The calls of a batch share the header.
 *
 * The header stays below 1,100 characters: proxies allow 4 to 8 KB for all headers of an answer, and twenty long
 * non-ASCII names would make them answer 502 for a request that was stored.
 */
export function reportIgnoredMembers(call: Call, schema: z.ZodObject, given: unknown): void {
  const paths = ignoredMembers(given, outlineOf(schema));
  if (paths.length === 0) return;
  call.ignoredMembers ??= new Set();
  for (const path of paths) call.ignoredMembers.add(path);
  const all = [...call.ignoredMembers];
  let length = 0;
  const named = all.slice(0, IGNORED_COUNT_MAX).filter((path) => (length += path.length + 2) <= LENGTH_MAX);
  const more = named.length < all.length ? ['...'] : [];
  call.setHeader('Ignored-Members', [...named, ...more].join(', '));
}

/** Maximum number of names collected; a body may hold hundreds of thousands. */
export const IGNORED_COUNT_MAX = 20;

/**
 * The faults of an input's unknown members: a misspelled filter would select everything. The models of the
 * specification, and what a browser makes, are open everywhere: they ignore what they do not know.
 */
export function unknownMemberFaults(
  schema: z.ZodObject,
  given: unknown,
  locOf: (path: readonly (string | number)[]) => (string | number)[],
): ValidationError[] {
  let outline = outlines.get(schema);
  if (!outline) outlines.set(schema, (outline = outlineOf(schema)));
  const paths: Path[] = [];
  collect(given, outline, { prefix: [], paths, entersOpen: false });
  return paths.slice(0, IGNORED_COUNT_MAX).map((path) => extraForbidden(locOf(path)));
}

/** By schema: to outline one costs more than most calls. */
const outlines = new WeakMap<z.ZodObject, Outline>();

/** As pydantic says it. */
export function extraForbidden(loc: readonly (string | number)[]): ValidationError {
  return {
    loc: loc.map((part) => (typeof part === 'string' ? shortened(part) : part)),
    msg: 'Extra inputs are not permitted',
    type: 'extra_forbidden',
  };
}

type Path = readonly (string | number)[];

/**
 * The members of a JSON value that a schema ignores, as paths: `cpt_code`, `patient_info.birth_date`. At most one more
 * than {@link IGNORED_COUNT_MAX}, which shows that there are more. Names are percent-encoded, including dots, so that
 * no name breaks its path or the response header.
 */
function ignoredMembers(value: unknown, outline: Outline): string[] {
  const paths: Path[] = [];
  collect(value, outline, { prefix: [], paths, entersOpen: true });
  return paths.map((path) =>
    path.map((part, index) => (index < path.length - 1 ? String(part) : encodeName(String(part)))).join('.'),
  );
}

interface Collecting {
  readonly prefix: Path;
  /** Grows. */
  readonly paths: Path[];
  /** Whether the members of open models are unknown ones too. */
  readonly entersOpen: boolean;
}

function collect(value: unknown, outline: Outline, collecting: Collecting): void {
  const { prefix, paths, entersOpen } = collecting;
  if (typeof value !== 'object' || value === null) return;
  if (outline.kind === 'list') {
    const { element } = outline;
    // Scalars have no members, and a list may be long.
    if (Array.isArray(value) && (element.kind === 'object' || element.kind === 'list'))
      value.forEach((item, index) => collect(item, element, { ...collecting, prefix: [...prefix, index] }));
    return;
  }
  if (outline.kind !== 'object' || Array.isArray(value) || (outline.isOpen && !entersOpen)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (paths.length > IGNORED_COUNT_MAX) return;
    const member = outline.members.find((one) => one.name === name);
    if (member) collect(inner, member.outline, { ...collecting, prefix: [...prefix, name] });
    else paths.push([...prefix, name]);
  }
}

/** Characters of a name to report: enough to recognise it. */
const NAME_LENGTH_MAX = 64;

const shortened = (name: string) =>
  name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX).toWellFormed()}...` : name;

function encodeName(name: string): string {
  const start = name.slice(0, NAME_LENGTH_MAX).toWellFormed();
  return encodeURIComponent(start).replaceAll('.', '%2E') + (name.length > NAME_LENGTH_MAX ? '...' : '');
}

/** Maps an input path to its place in the request, so that a fault is reported where the caller wrote it. */
type LocOf = (path: readonly (string | number)[]) => (string | number)[];

/** The names in `{braces}` of a REST path. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The place of each input field in the REST request; tRPC reports the same places. */
export function inputLocations({
  method,
  path: route,
  takesRows,
}: Pick<Operation, 'method' | 'path' | 'takesRows'>): LocOf {
  const inPath = new Set(pathParameters(route));
  return (path) => {
    const [name] = path;
    if (inPath.has(String(name))) return ['path', ...path];
    const inQuery = method === 'GET' || (takesRows === true && name !== undefined && name !== 'rows');
    return [inQuery ? 'query' : 'body', ...path];
  };
}
