import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@insurance-verification/store/testing';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import {
  type ServiceProcess,
  startServiceProcess,
} from '@insurance-verification/testing/start-service-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aFolder } from '../compile.ts';

const GENERATOR = '7.17.0';
const consumers = join(import.meta.dirname, 'consumers');

let service: ServiceProcess;
let testKey: string;
let generator: string;

beforeAll(async () => {
  generator = await installOnce(`openapi-generator-${GENERATOR}`, (empty) =>
    run('mvn', [
      '--quiet',
      'dependency:copy',
      `-Dartifact=org.openapitools:openapi-generator-cli:${GENERATOR}`,
      `-DoutputDirectory=${empty}`,
    ]),
  );
  const { connectionString } = await createTestDatabase();
  service = await startServiceProcess({ databaseUrl: connectionString });
  const { account_id } = await post<{ account_id: string }>('/accounts', { name: 'Clients', mode: 'test' });
  testKey = (await post<{ key: string }>('/keys', { account_id, name: 'clients', scopes: ['requests'] })).key;
}, INSTALL_PATIENCE_MS);
afterAll(() => service.stop());

async function post<T>(path: string, body: object): Promise<T> {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'x-key': service.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** The client of a language, generated from a provider's document as the service serves it. */
async function generated(language: string, options: readonly string[] = []): Promise<string> {
  const folder = aFolder();
  rmSync(join(folder, 'package.json'));
  const document = await fetch(`${service.url}/openapi.json?for=provider`);
  writeFileSync(join(folder, 'provider.json'), await document.text());
  const jar = join(generator, `openapi-generator-cli-${GENERATOR}.jar`);
  const output = join(folder, 'client');
  const args = ['generate', '-i', join(folder, 'provider.json'), '-g', language, '-o', output, ...options];
  await run('java', ['-jar', jar, ...args]);
  return output;
}

/** What each consumer prints: it creates, reads the state until there is a result, reads benefits, and meets two errors. */
const USED = { state: 'complete', coverages: 1, absent: 404, refused: 422 };

const isHere = (command: string) =>
  run('sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );

// A provider's team makes its client of the document: one that does not compile, or reads nothing, is no client.
test('Go', { timeout: INSTALL_PATIENCE_MS }, async (context) => {
  context.skip(!(await isHere('go')), 'this machine has no go');
  const folder = await generated('go', ['--additional-properties=enumClassPrefix=true']);
  rmSync(join(folder, 'test'), { recursive: true }); // tests of the generator's that need a network
  mkdirSync(join(folder, 'consumer'));
  cpSync(join(consumers, 'consumer.go'), join(folder, 'consumer/main.go'));
  await run('go', ['mod', 'tidy'], { cwd: folder });
  const printed = await run('go', ['run', './consumer', service.url, testKey], { cwd: folder });
  expect(JSON.parse(printed)).toEqual(USED);
});

test('Rust', { timeout: INSTALL_PATIENCE_MS }, async (context) => {
  context.skip(!(await isHere('cargo')), 'this machine has no cargo');
  const folder = await generated('rust');
  mkdirSync(join(folder, 'src/bin'));
  cpSync(join(consumers, 'consumer.rs'), join(folder, 'src/bin/consumer.rs'));
  await run('cargo', ['add', '--quiet', 'tokio@1', '--features', 'rt-multi-thread,macros,time'], {
    cwd: folder,
  });
  const args = ['run', '--quiet', '--bin', 'consumer', '--', service.url, testKey];
  expect(JSON.parse(await run('cargo', args, { cwd: folder }))).toEqual(USED);
});

// Not the generator's default for Java, okhttp-gson: what it makes refuses null for an enumeration that must be there.
test('Java', { timeout: INSTALL_PATIENCE_MS }, async (context) => {
  context.skip(!(await isHere('mvn')), 'this machine has no mvn');
  const folder = await generated('java', ['--library', 'native']);
  cpSync(join(consumers, 'Consumer.java'), join(folder, 'src/main/java/Consumer.java'));
  const classpath = ['dependency:build-classpath', '-Dmdep.outputFile=classpath'];
  await run('mvn', ['--quiet', '--batch-mode', '-DskipTests', 'compile', ...classpath], { cwd: folder });
  const classes = `target/classes:${readFileSync(join(folder, 'classpath'), 'utf8').trim()}`;
  const printed = await run('java', ['-cp', classes, 'Consumer', service.url, testKey], { cwd: folder });
  expect(JSON.parse(printed)).toEqual(USED);
});
