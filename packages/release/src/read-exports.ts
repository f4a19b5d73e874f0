import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A parameter of a function, or a member of an interface, an object type or a class. */
export interface Part {
  readonly name: string;
  readonly optional: boolean;
}

/** What an importer can rely on of one exported name. The shape of a model is in its JSON Schema and in the document. */
export interface ExportFact {
  /** `value`, `type`, or both, as a Zod model that shares its name with its type. */
  readonly kinds: readonly ('type' | 'value')[];
  /** Of a function, in order. */
  readonly parameters?: readonly Part[];
  /** Of an interface, an object type or a class. */
  readonly members?: readonly Part[];
  /** Whether importers write values of this type, since it is that of a function's parameter. */
  readonly isInput?: true;
}

/** What a published package promises. */
export interface PackageFact {
  /** The exported names of each entry point: `.`, `./contract`. */
  readonly entryPoints: Readonly<Record<string, Readonly<Record<string, ExportFact>>>>;
  /** The files that can be imported by their own name, such as `./json-schema/*.json`. */
  readonly files: readonly string[];
  /** The range of Node versions. */
  readonly node: string;
  readonly peers: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly publishConfig: { readonly exports: Readonly<Record<string, string | { readonly types: string }>> };
  readonly engines: { readonly node: string };
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Reads the source of a package: its barrels, and the declarations that they lead to. */
export function readExports(folder: string): PackageFact {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const entries = Object.entries(manifest.publishConfig.exports);
  return {
    entryPoints: Object.fromEntries(
      entries.flatMap(([name, target]) =>
        typeof target === 'string'
          ? []
          : [
              [
                name,
                exportsOf(join(folder, target.types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts'))),
              ],
            ],
      ),
    ),
    files: entries.flatMap(([name, target]) => (typeof target === 'string' ? [name] : [])),
    node: manifest.engines.node,
    peers: manifest.peerDependencies ?? {},
  };
}

function exportsOf(file: string): Record<string, ExportFact> {
  const declared = [...namesOf(file)].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const inputs = new Set(
    declared.flatMap(([, nodes]) =>
      nodes.flatMap((node) => parametersOf(node)?.map(({ type }) => type) ?? []),
    ),
  );
  return Object.fromEntries(
    declared.map(([name, nodes]) => {
      const fact = factOf(nodes);
      return [name, inputs.has(name) && fact.members ? { ...fact, isInput: true as const } : fact];
    }),
  );
}

/** The declarations of every name that a file exports, those that it re-exports included. */
function namesOf(file: string): Map<string, ts.Node[]> {
  const found = new Map<string, ts.Node[]>();
  for (const statement of parse(file).statements) {
    if (ts.isExportDeclaration(statement)) {
      const { moduleSpecifier: from, exportClause: clause } = statement;
      const path = from && ts.isStringLiteral(from) ? from.text : undefined;
      // A name of another package is compared there.
      const names =
        path === undefined
          ? locals(file)
          : path.startsWith('.')
            ? namesOf(join(dirname(file), path))
            : new Map<string, ts.Node[]>();
      if (!clause) for (const [name, nodes] of names) found.set(name, nodes);
      else if (ts.isNamedExports(clause))
        for (const { name, propertyName } of clause.elements)
          found.set(name.text, names.get((propertyName ?? name).text) ?? []);
    } else if (isExported(statement))
      for (const [name, node] of declarationsIn(statement))
        found.set(name, [...(found.get(name) ?? []), node]);
  }
  return found;
}

function locals(file: string): Map<string, ts.Node[]> {
  const found = new Map<string, ts.Node[]>();
  for (const statement of parse(file).statements)
    for (const [name, node] of declarationsIn(statement)) found.set(name, [...(found.get(name) ?? []), node]);
  return found;
}

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
  const source =
    parsed.get(file) ?? ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  parsed.set(file, source);
  return source;
}

const isExported = (statement: ts.Statement) =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

function declarationsIn(statement: ts.Statement): [name: string, node: ts.Node][] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map((node) => [node.name.getText(), node]);
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name ? [[statement.name.text, statement]] : [];
}

const isType = (node: ts.Node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);

function factOf(nodes: readonly ts.Node[]): ExportFact {
  const kinds = new Set(
    nodes.flatMap((node) =>
      ts.isClassDeclaration(node) ? KINDS : ([isType(node) ? 'type' : 'value'] as const),
    ),
  );
  const parameters = nodes.map(parametersOf).find((found) => found !== undefined);
  const members = nodes.map(membersOf).find((found) => found !== undefined);
  return {
    kinds: KINDS.filter((kind) => kinds.has(kind)),
    ...(parameters && { parameters: parameters.map(({ name, optional }) => ({ name, optional })) }),
    ...(members && { members }),
  };
}
const KINDS = ['type', 'value'] as const;

/** The parameters of a function, or of the function that a constant holds. An object pattern has no name of its own. */
function parametersOf(node: ts.Node): (Part & { readonly type: string })[] | undefined {
  const made = ts.isVariableDeclaration(node) ? node.initializer : node;
  if (!made || !(ts.isFunctionDeclaration(made) || ts.isArrowFunction(made))) return undefined;
  return made.parameters.map(({ name, questionToken, initializer, dotDotDotToken, type }, index) => ({
    name: ts.isIdentifier(name) ? name.text : `argument ${index + 1}`,
    optional: (questionToken ?? initializer ?? dotDotDotToken) !== undefined,
    type: type && ts.isTypeReferenceNode(type) ? type.typeName.getText() : '',
  }));
}

function membersOf(node: ts.Node): Part[] | undefined {
  const holder =
    ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)
      ? node
      : ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)
        ? node.type
        : undefined;
  return holder?.members.flatMap((member) => {
    const isHidden =
      ts.canHaveModifiers(member) &&
      ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
    if (!member.name || isHidden || ts.isPrivateIdentifier(member.name)) return [];
    return [
      {
        name: member.name.getText(),
        optional: 'questionToken' in member && member.questionToken !== undefined,
      },
    ];
  });
}
