import { type ProblemCode, PROBLEMS } from '@insurance-verification/schema';

/** The parts of a document that are made plainer. The values are JSON. */
interface Documented {
  readonly paths?: object | undefined;
  readonly components?:
    | { readonly schemas?: object | undefined; readonly responses?: object | undefined }
    | undefined;
}

type Json = Record<string, unknown>;

/** The one schema that each choice between objects becomes. */
const JOINED: Readonly<Record<string, string>> = {
  'X12BenefitSource VerifierBenefitSource': 'BenefitSource',
  'SummaryValue SummaryGap': 'SummaryAnswer',
};

/**
 * The document as every generator reads it; what is sent and returned stays as it is. Generators of Java, Kotlin and Rust
 * make nothing that compiles of a choice between objects, so such a choice is one object, whose members that only some
 * forms have are optional; nor of a constant that is a boolean. An answer that several operations have is written once.
 */
export function forGenerators<Document extends Documented>(document: Document): Document {
  const schemas = { ...(document.components?.schemas as Record<string, Json>) };
  const plain = replace({ paths: document.paths, schemas }, (node) => withoutChoice(node, schemas)) as {
    paths: Record<string, Record<string, Operation>>;
    schemas: Record<string, Json>;
  };
  const forms = Object.keys(JOINED).flatMap((names) => names.split(' '));
  const named = Object.entries({ ...schemas, ...plain.schemas }).filter(([name]) => !forms.includes(name));
  const responses = sharedAnswers(plain.paths);
  return {
    ...document,
    paths: plain.paths,
    components: {
      ...document.components,
      schemas: Object.fromEntries(named),
      responses,
    },
  };
}

/** Changes every object of a document, from the inside. */
function replace(node: unknown, change: (node: Json) => Json): unknown {
  if (Array.isArray(node)) return node.map((one) => replace(one, change));
  if (typeof node !== 'object' || node === null) return node;
  const changed = Object.entries(node).map(([name, one]) => [name, replace(one, change)]);
  return change(Object.fromEntries(changed) as Json);
}

const nameOf = (ref: unknown) => String(ref).replace('#/components/schemas/', '');

/** @throws for a choice between objects that {@link JOINED} does not name. */
function withoutChoice(node: Json, schemas: Record<string, Json>): Json {
  // Kotlin's generator compares the component with the text of a value that is next to the reference.
  if (node['$ref'] !== undefined) {
    const { type: _type, enum: _enum, ...reference } = node;
    return reference;
  }
  if (typeof node['const'] === 'boolean') {
    const { const: only, description = '', ...rest } = node as { const: boolean; description?: string };
    return { ...rest, description: `${description} Only ${String(only)}.`.trim() };
  }
  const choices = (node['anyOf'] ?? node['oneOf']) as readonly Json[] | undefined;
  const objects = choices?.filter(
    ({ $ref: ref }) => ref !== undefined && schemas[nameOf(ref)]?.['type'] === 'object',
  );
  if (!objects || objects.length < 2) return node;
  const names = objects.map(({ $ref: ref }) => nameOf(ref));
  const name = JOINED[names.join(' ')];
  if (name === undefined)
    throw new Error(`The choice between ${names.join(' and ')} needs a name of its own.`);
  schemas[name] ??= joined(names.map((one) => schemas[one] ?? {}));
  const ref = { $ref: `#/components/schemas/${name}` };
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = node;
  const others = choices?.filter((choice) => !objects.includes(choice)) ?? [];
  return others.length === 0 ? { ...ref, ...rest } : { ...rest, anyOf: [ref, ...others] };
}

/** One object with the members of all; a member is required where each form requires it, and constants are its values. */
function joined(forms: readonly Json[]): Json {
  const properties: Record<string, Json> = {};
  for (const form of forms)
    for (const [name, member] of Object.entries(form['properties'] as Record<string, Json>)) {
      const before = properties[name];
      properties[name] = before === undefined ? member : withBoth(before, member);
    }
  const required = Object.keys(properties).filter((name) =>
    forms.every((form) => (form['required'] as string[]).includes(name)),
  );
  const description = forms.map((form) => String(form['description'])).join(' Or: ');
  return { description, type: 'object', properties, required };
}

function withBoth(one: Json, other: Json): Json {
  const values = [one, other].flatMap(
    (schema) => (schema['enum'] as unknown[] | undefined) ?? schema['const'] ?? [],
  );
  if (values.length === 0) return one;
  const { const: _const, ...rest } = one;
  return { ...rest, enum: values };
}

interface Operation {
  responses: Record<string, Json>;
}

/** Answers that at least this many operations give are written once. */
const SHARED_COUNT = 3;

/** Replaces each answer that several operations give by a reference. @returns these answers by name. */
function sharedAnswers(paths: Record<string, Record<string, Operation>>): Record<string, Json> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const answers = operations.flatMap(({ responses }) =>
    Object.entries(responses).map(([status, answer]) => ({
      responses,
      status,
      text: JSON.stringify(answer),
    })),
  );
  const byText = Map.groupBy(answers, ({ status, text }) => `${status} ${text}`);
  const shared: Record<string, Json> = {};
  for (const same of byText.values()) {
    const [{ status, text } = { status: '', text: '{}' }] = same;
    if (same.length < SHARED_COUNT || status.startsWith('2')) continue;
    const answer = JSON.parse(text) as Json;
    const name = freeName(answerName(status, text), shared);
    shared[name] = answer;
    for (const { responses } of same) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

/** `Unauthorized`, from the codes of the problems that the answer has examples of; `Invalid` for a 422. */
function answerName(status: string, text: string): string {
  if (status === '422') return 'Invalid';
  if (status === '403') return 'Forbidden';
  const codes = (Object.keys(PROBLEMS) as ProblemCode[]).filter(
    (code) => String(PROBLEMS[code].status) === status && text.includes(`examples/${code}"`),
  );
  const words = (codes.length === 0 ? [`status_${status}`] : codes).slice(0, 2).join('_or_').split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function freeName(name: string, taken: Record<string, Json>): string {
  if (!Object.hasOwn(taken, name)) return name;
  for (let count = 2; ; count += 1) if (!Object.hasOwn(taken, `${name}${count}`)) return `${name}${count}`;
}
