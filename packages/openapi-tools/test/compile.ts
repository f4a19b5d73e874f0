import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { onTestFinished } from 'vitest';

/** A folder for what a generator writes, gone after the test. Nothing of the workspace is found from there. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'iv-generated-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

/**
 * Compiles `consumer.ts` of a folder and all that it imports, as a careful reader would, and imports what comes out.
 * @throws {Error} with the compiler's messages.
 */
export async function compileAndImport<T>(folder: string): Promise<T> {
  const outDir = join(folder, 'compiled');
  const program = ts.createProgram([join(folder, 'consumer.ts')], {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2023,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    skipLibCheck: true, // a second of the platform's own types, and none that a generator writes
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
