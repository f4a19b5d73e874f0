import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/**
 * A browser that needs no system package. On Linux x64 it comes from the development dependencies; elsewhere, or when
 * `BROWSER_PATH` is set, an installed one is used: that path, or Chrome where Playwright looks for it.
 */
export async function aBrowser(): Promise<Browser> {
  const executablePath = process.env['BROWSER_PATH'];
  if (executablePath) return chromium.launch({ executablePath });
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome' });
  return launchPackaged();
}

/**
 * The packaged Chromium with its own libraries and fonts, so that the machine needs neither libnss3 nor fonts. The
 * package's own `executablePath()` unpacks into /tmp, which another run may be writing to, or another user may own.
 */
async function launchPackaged(): Promise<Browser> {
  const folder = await unpackedOnce();
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    // Not the package's flags, which disable web security. The sandbox needs a kernel that allows one.
    args: ['--no-sandbox', '--disable-gpu'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  });
}

/**
 * The archives, unpacked next to the dependencies by the first test file that asks, for all later ones: each time takes
 * three seconds of CPU. The folder appears whole, by a rename, so that two files may unpack at once.
 */
async function unpackedOnce(): Promise<string> {
  const packaged = path.join(fileURLToPath(import.meta.resolve('@sparticuz/chromium')), '..', '..');
  const { version } = JSON.parse(await readFile(path.join(packaged, 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
  const folder = path.join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const unpacking = await mkdtemp(`${folder}-`);
  await unpack(
    unpacking,
    ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => path.join(packaged, 'bin', name)),
  );
  // The package's own file names folders of AWS Lambda.
  await writeFile(path.join(unpacking, 'fonts.conf'), fontsConfiguration(folder));
  try {
    await rename(unpacking, folder);
  } catch (err) {
    if (!existsSync(folder)) throw err;
    await rm(unpacking, { recursive: true }); // another was first
  }
  return folder;
}

function fontsConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${path.join(folder, 'fonts')}</dir>
  <cachedir>${path.join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}

/** `inflate` writes to `os.tmpdir()`. */
async function unpack(folder: string, archives: readonly string[]): Promise<void> {
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = folder;
  try {
    await Promise.all(archives.map((archive) => inflate(archive)));
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}
