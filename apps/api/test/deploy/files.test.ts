import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { startFlags } from '@insurance-verification/testing/start-flags';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commandsOf, runAsShown } from '../operating/guide.ts';
import {
  containerCommands,
  deployFile,
  deployText,
  manifestNames,
  root,
  startCommands,
} from './deploy-files.ts';
import { isThere, notRunWithout } from './is-there.ts';

test('the image has the pinned Node', () => {
  const workspace = readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8');
  const [, version] = /^nodeVersion: (\S+)$/m.exec(workspace) ?? [];
  const containerfile = deployText('Containerfile');
  expect(containerfile).toMatch(
    /^ARG NODE=docker\.io\/library\/node:[\d.]+-trixie-slim@sha256:[0-9a-f]{64}$/m,
  );
  expect(containerfile).toContain(`ARG NODE=docker.io/library/node:${version}-`);
  expect([...containerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
    '${NODE}',
    '${NODE}',
  ]);
});

// Breaks if the measured and the deployed setup differ.
test.each(Object.entries(startCommands))(
  'the %s starts Node with the flags of `pnpm start`',
  (_of, command) => {
    const home = aFolder();
    for (const folder of ['api/dist', 'bin']) mkdirSync(join(home, folder), { recursive: true });
    cpSync(join(root, 'apps/api/node-flags'), join(home, 'api/node-flags'));
    writeFileSync(join(home, 'api/dist/main.js'), 'console.log(JSON.stringify(process.execArgv))');
    symlinkSync(process.execPath, join(home, 'bin/node'));
    const printed = execFileSync('/bin/sh', ['-c', command.replaceAll('/app/', `${home}/`)], {
      cwd: home, // the unit's WorkingDirectory
      env: { PATH: `${join(home, 'bin')}:/usr/bin:/bin` },
      encoding: 'utf8',
    });
    const [condition, ...flags] = startFlags;
    expect(condition).toMatch(/^--conditions=/);
    expect(JSON.parse(printed)).toEqual(flags);
  },
);

test('the guide builds by the commands of the image', () => {
  const shown = commandsOf('deploying.md', 'build').trim().split('\n');
  expect(shown).toEqual(
    containerCommands.map((line) => line.replaceAll('/out/', '/opt/insurance-verification/')),
  );
});

test.skipIf(!isThere('systemd-analyze'))(
  `systemd finds nothing wrong with the unit${notRunWithout('systemd-analyze')}`,
  () => {
    const folder = aFolder();
    const verify = (text: string) => {
      const unit = join(folder, 'insurance-verification@.service');
      writeFileSync(unit, text);
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit], {
        encoding: 'utf8',
      });
      return { status, stderr };
    };
    const unit = deployText('insurance-verification@.service');
    expect(verify(unit)).toEqual({ status: 0, stderr: '' });
    expect(verify(unit.replace('DynamicUser=', 'DynamicUsers=')).stderr).toMatch(
      /Unknown key.* 'DynamicUsers'/,
    );
  },
  30_000,
);

// Breaks if a copied file leads to processes that nobody starts, or past some that run.
test('the guide starts, the proxies reach, the script restarts and Prometheus asks the same eight', () => {
  const all = ['1', '2', '3', '4', '5', '6', '7', '8'];
  const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one]) => one);
  expect(found(commandsOf('deploying.md', 'instances'), /insurance-verification@(\d)/g)).toEqual(all);
  expect(commandsOf('deploying.md', 'restart-in-turn').trim().split(' ').slice(1)).toEqual(all);
  // A proxy names them twice: for all calls, and for those of agents.
  for (const [name, expected] of [
    ['nginx.conf', [...all, ...all]],
    ['haproxy.cfg', [...all, ...all]],
    ['prometheus/scrape.yml', all],
  ] as const)
    expect(found(deployText(name), /127\.0\.0\.1:300(\d)/g), name).toEqual(expected);
  expect(deployText('insurance-verification@.service')).toContain('\nEnvironment=PORT=300%i\n');
  expect(deployText('restart-in-turn')).toContain('http://127.0.0.1:300$instance/readyz');
});

test('every file that the guide copies is there', () => {
  const shown = ['instances', 'nginx', 'haproxy'].map((name) => commandsOf('deploying.md', name)).join('');
  const copied = [...shown.matchAll(/^cp (\S+) /gm)].map(([, path = '']) => path);
  expect(copied).toHaveLength(4);
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

/** The type that Kubernetes' published schema gives each manifest's kind. */
const kinds: Readonly<Record<string, string>> = {
  'apps/v1 StatefulSet': 'apps/v1',
  'v1 ConfigMap': 'core/v1',
  'v1 Service': 'core/v1',
  'policy/v1 PodDisruptionBudget': 'policy/v1',
  'networking.k8s.io/v1 Ingress': 'networking/v1',
  'networking.k8s.io/v1 NetworkPolicy': 'networking/v1',
};

/** The compiler's errors for manifests checked against those types: unknown, wrong and missing members. */
function faultsOf(manifests: Readonly<Record<string, unknown>>): string {
  const folder = aFolder();
  symlinkSync(join(root, 'apps/api/node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'src'));
  for (const [name, manifest] of Object.entries(manifests)) {
    const { apiVersion, kind } = manifest as { apiVersion: string; kind: string };
    const module = kinds[`${apiVersion} ${kind}`];
    if (module === undefined) return `${name}: no type is known for ${apiVersion} ${kind}`;
    writeFileSync(
      join(folder, 'src', `${name}.ts`),
      `import type { ${kind} } from 'kubernetes-types/${module}';\nexport const manifest: ${kind} = ${JSON.stringify(manifest, null, 2)};\n`,
    );
  }
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  return stdout;
}

const readManifest = (name: string): unknown => parse(deployText(`kubernetes/${name}`));

test('the manifests are of the schema that Kubernetes publishes', () => {
  expect(faultsOf(Object.fromEntries(manifestNames.map((name) => [name, readManifest(name)])))).toBe('');
  const misspelt = deployText('kubernetes/stateful-set.yaml').replace('replicas: 2', 'replica: 2');
  const wrong = deployText('kubernetes/stateful-set.yaml').replace('replicas: 2', 'replicas: two');
  expect(faultsOf({ misspelt: parse(misspelt) })).toContain(
    "'\"replica\"' does not exist in type 'StatefulSetSpec'",
  );
  expect(faultsOf({ wrong: parse(wrong) })).toContain("'string' is not assignable to type 'number'");
}, 60_000);

// Broke: whatever ran in the cluster could read the metrics port, which asks for no token.
test('the metrics port is reached only from the namespace of the monitoring', () => {
  const { spec } = readManifest('network-policy.yaml') as {
    spec: { podSelector: object; policyTypes: string[]; ingress: { ports: object[]; from?: object[] }[] };
  };
  const set = readManifest('stateful-set.yaml') as { spec: { selector: object } };
  expect(spec.podSelector).toEqual(set.spec.selector);
  expect(spec.policyTypes).toEqual(['Ingress']);
  expect(spec.ingress).toEqual([
    { ports: [{ port: 'http' }] },
    {
      ports: [{ port: 'metrics' }],
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    },
  ]);
});

// Broke: neither brought a key or a place for the seals, so nothing was sealed, or only where the database's owner writes.
test('the unit and the pods seal the audit, and keep what they signed outside of the database', () => {
  const unit = deployText('insurance-verification@.service');
  expect(unit).toContain('\nEnvironment=AUDIT_SEAL_KEY_FILE=%d/audit-seal-key\n');
  expect(unit).toContain('\nLoadCredential=audit-seal-key:/etc/insurance-verification/audit-seal-key\n');
  expect(unit).toContain('\nStateDirectory=insurance-verification\n');
  expect(unit).toContain('\nEnvironment=AUDIT_SEAL_FILE=%S/insurance-verification/audit-seals.jsonl\n');
  const { spec } = readManifest('stateful-set.yaml') as {
    spec: {
      template: {
        spec: { containers: { env: { name: string; value?: string }[]; volumeMounts: object[] }[] };
      };
      volumeClaimTemplates: { metadata: { name: string } }[];
    };
  };
  const [container] = spec.template.spec.containers;
  const valueOf = (name: string) => container?.env.find((one) => one.name === name)?.value;
  expect(valueOf('AUDIT_SEAL_KEY_FILE')).toBe('/etc/insurance-verification/secrets/audit-seal-key');
  expect(valueOf('AUDIT_SEAL_FILE')).toBe('/var/lib/insurance-verification/audit-seals.jsonl');
  expect(container?.volumeMounts).toContainEqual({
    name: spec.volumeClaimTemplates[0]?.metadata.name,
    mountPath: '/var/lib/insurance-verification',
  });
});

test('the list of the manifests has every one', () => {
  const { resources } = parse(deployText('kubernetes/kustomization.yaml')) as { resources: string[] };
  expect(resources.toSorted()).toEqual(manifestNames.toSorted());
});

test.skipIf(!isThere('kubectl'))(
  `kustomize builds what the list names${notRunWithout('kubectl')}`,
  () => {
    const folder = aFolder();
    cpSync(deployFile('kubernetes'), join(folder, 'apps/api/deploy/kubernetes'), { recursive: true });
    const build = () =>
      execFileSync('kubectl', ['kustomize', join(folder, 'apps/api/deploy/kubernetes')], {
        encoding: 'utf8',
      });
    // Broke: the tag 1 was another image a day later, and no two pods had to run the same.
    expect(build()).toContain(
      'image: registry.example/insurance-verification@sha256:the-digest-of-your-push\n',
    );
    const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
    writeFileSync(join(folder, 'digest'), digest);
    runAsShown(commandsOf('deploying.md', 'image-digest'), {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    const built = build();
    expect(built.match(/^kind: /gm)).toHaveLength(manifestNames.length);
    expect(built).toContain(`image: registry.example/insurance-verification@${digest}\n`);
  },
  30_000,
);

test.skipIf(!isThere('kubectl'))(
  `the secret of the guide has the files that the pods read${notRunWithout('kubectl')}`,
  () => {
    const folder = aFolder();
    for (const name of ['database-url', 'encryption-key', 'audit-seal-key'])
      writeFileSync(join(folder, name), `${name}\n`);
    const [create = ''] = commandsOf('deploying.md', 'kubernetes').split('\n');
    const env = { PATH: process.env['PATH'] ?? '' };
    const text = runAsShown(`${create} --dry-run=client -o yaml`, { cwd: folder, env });
    const secret = parse(text) as { metadata: { name: string }; data: Record<string, string> };
    expect(secret).toMatchObject({ kind: 'Secret', metadata: { name: 'insurance-verification' } });
    const read = deployText('kubernetes/stateful-set.yaml').matchAll(/\/secrets\/(\S+)/g);
    expect([...read].map(([, name]) => name).toSorted()).toEqual(Object.keys(secret.data).toSorted());
  },
);
