import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sourceDigest } from './source-digest.ts';

// Builds the console into `dist`, unless what is there was made of the same sources. The service runs this after it is
// ready, and `turbo run build` before an image is made.

const folder = fileURLToPath(new URL('..', import.meta.url));
const dist = `${folder}dist`;
const root = `${folder}../..`;
const digest = sourceDigest(root);
const DIGEST_FILE = 'sources.sha256';

const isThere = () =>
  existsSync(`${dist}/${DIGEST_FILE}`) && readFileSync(`${dist}/${DIGEST_FILE}`, 'utf8') === digest;

if (!isThere()) {
  // Services that start together on one checkout build side by side, and the first that is done is served by all.
  const beside = `${folder}node_modules/.dist-${process.pid}`;
  try {
    // Whoever starts it: under a test's own value, the bundle would be React's for development.
    process.env['NODE_ENV'] = 'production';
    // A tenth of a second that a build which is there does not cost.
    const [{ build }, { writeHelp }, { writeGuides }, { compressFiles }] = await Promise.all([
      import('vite'),
      import('./write-help.ts'),
      import('./write-guides.ts'),
      import('./compress-files.ts'),
    ]);
    await build({ root: folder, logLevel: 'error', build: { outDir: beside, emptyOutDir: true } });
    writeHelp(root, beside);
    writeGuides(root, beside);
    compressFiles(beside);
    writeFileSync(`${beside}/${DIGEST_FILE}`, digest);
    if (!isThere()) put(beside);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Both renames are whole: a folder that another build has put there is never half removed. */
function put(beside: string): void {
  const before = `${beside}-before`;
  for (;;) {
    try {
      renameSync(dist, before);
    } catch (err) {
      if (!isCode(err, 'ENOENT')) throw err;
    }
    try {
      renameSync(beside, dist);
      break;
    } catch (err) {
      if (isThere()) break; // another build was put there in this moment
      if (!isCode(err, 'ENOTEMPTY')) throw err;
    } finally {
      rmSync(before, { recursive: true, force: true });
    }
  }
}

function isCode(err: unknown, code: string): boolean {
  return err instanceof Error && 'code' in err && err.code === code;
}
