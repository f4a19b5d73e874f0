import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALL_PATIENCE_MS, installOnce, run } from '@insurance-verification/testing/install-once';
import { beforeAll, describe, expect, test } from 'vitest';
import { USED, useProvider } from '../a-provider.ts';
import { aFolder } from '../compile.ts';

const OPENAPI_GENERATOR = '7.25.0';
const OPENAPI_PYTHON_CLIENT = '0.29.1';
const JAVA_WEBHOOKS = 'com.standardwebhooks:standardwebhooks:1.2.0';
const consumers = join(import.meta.dirname, 'consumers');

let jar: string;
let python: string;

beforeAll(async () => {
  const generator = await installOnce(`openapi-generator-${OPENAPI_GENERATOR}`, (empty) =>
    run('mvn', [
      '--quiet',
      'dependency:copy',
      `-Dartifact=org.openapitools:openapi-generator-cli:${OPENAPI_GENERATOR}`,
      `-DoutputDirectory=${empty}`,
    ]),
  );
  jar = join(generator, `openapi-generator-cli-${OPENAPI_GENERATOR}.jar`);
  python = await installOnce(`openapi-python-client-${OPENAPI_PYTHON_CLIENT}-and-others`, async (empty) => {
    await run('python3', ['-m', 'venv', empty]);
    const packages = [
      'standardwebhooks==1.1.0',
      'urllib3==2.8.0',
      'pydantic==2.14.4',
      'python-dateutil==2.9.0.post0',
    ];
    await run(`${empty}/bin/pip`, [
      'install',
      '--quiet',
      `openapi-python-client==${OPENAPI_PYTHON_CLIENT}`,
      ...packages,
    ]);
  });
}, INSTALL_PATIENCE_MS);

const provider = useProvider();

/** A folder with `provider.json`: a provider's document as the service serves it. */
async function aDocument(): Promise<string> {
  const folder = aFolder();
  rmSync(join(folder, 'package.json'));
  const document = await fetch(`${provider().url}/openapi.json?for=provider`);
  writeFileSync(join(folder, 'provider.json'), await document.text());
  return folder;
}

/** The client of a language by openapi-generator. @returns its folder */
async function generated(language: string, options: readonly string[] = []): Promise<string> {
  const folder = await aDocument();
  const args = [
    '-i',
    join(folder, 'provider.json'),
    '-g',
    language,
    '-o',
    join(folder, 'client'),
    ...options,
  ];
  await run('java', ['-jar', jar, 'generate', ...args]);
  return join(folder, 'client');
}

interface Program {
  readonly folder: string;
  readonly command: readonly [string, ...string[]];
}

interface Language {
  /** What this machine must have. */
  readonly needs: string;
  /** Generates the client, and builds the consumer with it. */
  readonly build: () => Promise<Program>;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Go: {
    needs: 'go',
    build: async () => {
      const folder = await generated('go', ['--additional-properties=enumClassPrefix=true']);
      rmSync(join(folder, 'test'), { recursive: true }); // tests of the generator's that need a network
      cpSync(join(consumers, 'go'), join(folder, 'consumer'), { recursive: true });
      await run('go', ['mod', 'tidy'], { cwd: folder });
      await run('go', ['build', '-o', 'program', './consumer'], { cwd: folder });
      return { folder, command: [join(folder, 'program')] };
    },
  },
  Rust: {
    needs: 'cargo',
    build: async () => {
      const folder = await generated('rust');
      mkdirSync(join(folder, 'src/bin'));
      cpSync(join(consumers, 'rust/consumer.rs'), join(folder, 'src/bin/consumer.rs'));
      await run('cargo', ['add', '--quiet', 'standardwebhooks@1.0.1'], { cwd: folder });
      const features = ['--features', 'rt-multi-thread,macros,time'];
      await run('cargo', ['add', '--quiet', 'tokio@1', ...features], { cwd: folder });
      const env = { ...process.env, CARGO_PROFILE_DEV_DEBUG: '0' };
      await run('cargo', ['build', '--quiet', '--bin', 'consumer'], { cwd: folder, env });
      return { folder, command: [join(folder, 'target/debug/consumer')] };
    },
  },
  'Java, by the default library okhttp-gson': { needs: 'mvn', build: () => buildJava('okhttp-gson') },
  'Java, by the library native': { needs: 'mvn', build: () => buildJava('native') },
  Kotlin: {
    needs: 'mvn',
    build: async () => {
      const folder = await generated('kotlin');
      cpSync(join(consumers, 'kotlin/Consumer.kt'), join(folder, 'src/main/kotlin/Consumer.kt'));
      cpSync(join(consumers, 'kotlin/pom.xml'), join(folder, 'pom.xml'));
      return { folder, command: ['java', '-cp', await compiled(folder), 'ConsumerKt'] };
    },
  },
  'Python, by openapi-generator': {
    needs: 'python3',
    build: async () => {
      const folder = await generated('python');
      cpSync(join(consumers, 'python/openapi_generator.py'), join(folder, 'consumer.py'));
      return { folder, command: [`${python}/bin/python`, 'consumer.py'] };
    },
  },
  'Python, by openapi-python-client': {
    needs: 'python3',
    build: async () => {
      const folder = await aDocument();
      const output = ['--meta', 'none', '--output-path', 'insurance_verification_api_client'];
      const generate = ['generate', '--path', 'provider.json', ...output];
      await run(`${python}/bin/openapi-python-client`, generate, { cwd: folder });
      cpSync(join(consumers, 'python/openapi_python_client.py'), join(folder, 'consumer.py'));
      return { folder, command: [`${python}/bin/python`, 'consumer.py'] };
    },
  },
};

async function buildJava(library: string): Promise<Program> {
  const folder = await generated('java', ['--library', library]);
  cpSync(join(consumers, 'java/Consumer.java'), join(folder, 'src/main/java/Consumer.java'));
  cpSync(join(consumers, 'java', library, 'Library.java'), join(folder, 'src/main/java/Library.java'));
  const [groupId, artifactId, version] = JAVA_WEBHOOKS.split(':');
  const dependency = `<dependency><groupId>${groupId}</groupId><artifactId>${artifactId}</artifactId><version>${version}</version></dependency>`;
  const pom = join(folder, 'pom.xml');
  writeFileSync(pom, readFileSync(pom, 'utf8').replace(/(?<=<\/build>[^]*<dependencies>)/, dependency));
  return { folder, command: ['java', '-cp', await compiled(folder), 'Consumer'] };
}

/** Compiles a Maven project. @returns the class path to run it with */
async function compiled(folder: string): Promise<string> {
  const classpath = ['dependency:build-classpath', '-Dmdep.outputFile=classpath'];
  await run('mvn', ['--quiet', '--batch-mode', '-DskipTests', 'compile', ...classpath], { cwd: folder });
  return `target/classes:${readFileSync(join(folder, 'classpath'), 'utf8').trim()}`;
}

const isHere = (command: string) =>
  run('sh', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );

// A provider's team makes its client of the document: one that does not compile, or reads nothing, is no client.
describe.each(Object.entries(LANGUAGES))('a client in %s', (_, { needs, build }) => {
  test(
    'compiles, is used, and reads a verified webhook',
    { timeout: INSTALL_PATIENCE_MS },
    async (context) => {
      context.skip(!(await isHere(needs)), `this machine has no ${needs}`);
      const { folder, command } = await build();
      const [program, ...args] = command;
      const env = { ...process.env, ...(await provider().anEnv()) };
      expect(JSON.parse(await run(program, args, { cwd: folder, env }))).toEqual(USED);
    },
  );
});
