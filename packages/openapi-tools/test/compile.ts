import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { onTestFinished } from 'vitest';

/**
 * A folder for a generator's output, removed after the test. It lies outside the workspace, whose packages it cannot
 * resolve.
 */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'iv-generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/**
 * Compiles a folder's `consumer.ts` and its imports under strict settings, and imports the output. It may import this
 * package's dependencies.
 * @throws {Error} with the compiler's messages.
 */
export async function compileAndImport<T>(folder: string): Promise<T> {
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'));
  const outDir = join(folder, 'compiled');
  const program = ts.createProgram([join(folder, 'consumer.ts')], {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    skipLibCheck: true, // skips only the platform's own types, which take a second; nothing that a generator writes
    rootDir: folder,
    outDir,
  });
  const { diagnostics } = program.emit();
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (faults.length > 0) {
    throw new Error(
      ts.formatDiagnostics(faults, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => folder,
        getNewLine: () => '\n',
      }),
    );
  }
  return (await import(pathToFileURL(join(outDir, 'consumer.js')).href)) as T;
}
