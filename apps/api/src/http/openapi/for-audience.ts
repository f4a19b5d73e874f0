import {
  type OperationAudience,
  type OperationName,
  OPERATIONS,
} from '@insurance-verification/schema/contract';
import * as z from 'zod';

/** Who reads a document: only their own operations are in it, and only the models of these. */
export const Audience = z.enum(['all', 'provider', 'verifier', 'operator']);
export type Audience = z.infer<typeof Audience>;

interface Components {
  readonly schemas?: object | undefined;
  readonly examples?: object | undefined;
  readonly responses?: object | undefined;
}

/** The part of a document that is divided. The values are JSON. */
export interface Divisible {
  readonly paths?: Readonly<Record<string, object>> | undefined;
  readonly webhooks?: object | undefined;
  readonly tags?: readonly { readonly name: string }[] | undefined;
  readonly components?: Components | undefined;
}

/**
 * The document for one audience: its operations of the contract. What only a person who is signed in may call is only in
 * `all`, and the webhook is for those who receive it.
 */
export function forAudience<Document extends Divisible>(document: Document, audience: Audience): Document {
  if (audience === 'all') return document;
  const paths: Record<string, object> = {};
  const tagNames = new Set(audience === 'provider' ? ['Webhooks'] : []);
  for (const [path, methods] of Object.entries(document.paths ?? {}))
    for (const [method, operation] of Object.entries(methods) as [string, Operation][]) {
      if (!audiencesOf(operation).includes(audience)) continue;
      paths[path] = { ...paths[path], [method]: operation };
      for (const tag of operation.tags) tagNames.add(tag);
    }
  const { webhooks, components = {}, ...rest } = document;
  const divided = { ...rest, paths, ...(audience === 'provider' && { webhooks }) };
  return {
    ...divided,
    tags: document.tags?.filter(({ name }) => tagNames.has(name)),
    components: { ...components, ...usedComponents(divided, components) },
  } as Document;
}

interface Operation {
  readonly operationId: OperationName;
  readonly tags: readonly string[];
}

const audiencesOf = ({ operationId }: Operation): readonly OperationAudience[] =>
  OPERATIONS[operationId].audience;

const REFERENCE = /"#\/components\/(schemas|examples|responses)\/([\w.-]+)"/g;

/** The models and examples that the rest of the document refers to, and those that these refer to. */
function usedComponents(rest: object, components: Components): Components {
  const used = { schemas: new Set<string>(), examples: new Set<string>(), responses: new Set<string>() };
  const texts = [JSON.stringify(rest)];
  for (let text = texts.pop(); text !== undefined; text = texts.pop())
    for (const [, kind = 'schemas', name = ''] of text.matchAll(REFERENCE)) {
      const names = used[kind as keyof typeof used];
      if (names.has(name)) continue;
      names.add(name);
      const found = (components[kind as keyof Components] as Record<string, unknown> | undefined)?.[name];
      texts.push(JSON.stringify(found ?? null));
    }
  // In the order of the whole document, so that a change shows as lines.
  const usedOf = (kind: keyof Components) =>
    Object.fromEntries(Object.entries(components[kind] ?? {}).filter(([name]) => used[kind].has(name)));
  return { schemas: usedOf('schemas'), examples: usedOf('examples'), responses: usedOf('responses') };
}
