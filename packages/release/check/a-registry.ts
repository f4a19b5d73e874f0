import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { freePort } from '@insurance-verification/testing/free-port';
import { installOnce, run } from '@insurance-verification/testing/install-once';
import { until } from '@insurance-verification/testing/until';

const VERDACCIO = '6.10.4';

/** A registry on loopback that takes our packages, and passes on every other name to the registry of this machine. */
export async function aRegistry(): Promise<{ readonly url: string; readonly stop: () => void }> {
  const installed = await installOnce(`verdaccio-${VERDACCIO}`, async (empty) => {
    // Some registries do not have the tag `cjs` of node-fetch that one of its parts asks for.
    const manifest = {
      private: true,
      dependencies: { verdaccio: VERDACCIO },
      overrides: { 'node-fetch': '2.7.0' },
    };
    writeFileSync(join(empty, 'package.json'), JSON.stringify(manifest));
    await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: empty });
  });
  const folder = aFolder();
  const upstream = (await run('npm', ['config', 'get', 'registry'], { cwd: folder })).trim();
  const url = `http://127.0.0.1:${await freePort()}/`;
  const everybody = { access: '$all', publish: '$all', unpublish: '$all' };
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream } },
    packages: {
      '@insurance-verification/*': everybody,
      '**': { access: '$all', proxy: 'upstream' },
    },
    max_body_size: '100mb',
    log: { type: 'stdout', level: 'warn' },
  };
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config)); // YAML takes JSON
  const server = spawn(
    process.execPath,
    [
      join(installed, 'node_modules/verdaccio/bin/verdaccio'),
      '--config',
      join(folder, 'config.yaml'),
      '--listen',
      url,
    ],
    { stdio: 'ignore' },
  );
  await until(`verdaccio ${VERDACCIO} answers`, () =>
    fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return { url, stop: () => void server.kill() };
}
