import { type Contract, lastRelease } from '../src/baseline.ts';

type Node = Record<string, unknown>;

/** A copy of the last release's contract, to change like a careless commit would. */
export function aContract(): Contract & { readonly at: (...path: readonly (string | number)[]) => Node } {
  const contract = structuredClone(lastRelease());
  return {
    ...contract,
    at: (...path) =>
      path.reduce<Node>(
        (node, name) => {
          const found = node[name] as Node | undefined;
          if (found === undefined) throw new Error(`The contract has no ${path.join(' ')}`);
          return found;
        },
        contract as unknown as Node,
      ),
  };
}
export type Edited = ReturnType<typeof aContract>;

/** The members of a schema component of the document. */
export const schemaOf = ({ at }: Edited, name: string) => at('document', 'components', 'schemas', name);

/** A member's schema of a component of the document. */
export const memberOf = (contract: Edited, name: string, member: string) =>
  schemaOf(contract, name)['properties'] === undefined
    ? {}
    : contract.at('document', 'components', 'schemas', name, 'properties', member);

/** An operation of the document. */
export const operationOf = ({ at }: Edited, method: string, path: string) =>
  at('document', 'paths', path, method);

/** Renames or removes a member. */
export function move(node: Node, name: string, to?: string): void {
  if (!(name in node)) throw new Error(`There is no ${name}`);
  if (to !== undefined) node[to] = node[name];
  delete node[name];
}

/** Changes a list in place. */
export const listAt = (node: Node, name: string) => node[name] as unknown[];

export function drop(node: Node, name: string, value: unknown): void {
  const list = listAt(node, name);
  const index = list.indexOf(value);
  if (index === -1) throw new Error(`${name} has no ${String(value)}`);
  list.splice(index, 1);
}

/** Turns the order of a list. */
export function turn(node: Node, name: string): void {
  node[name] = listAt(node, name).toReversed();
}
