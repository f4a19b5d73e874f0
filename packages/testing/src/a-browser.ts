import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { aFolder } from './a-folder.ts';

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
 * The packaged Chromium with its own libraries and fonts, so that the machine needs neither libnss3 nor fonts. It is
 * unpacked into a folder of this run: the package's own `executablePath()` uses a shared one in /tmp, which another run
 * may be writing, or another user may own.
 */
async function launchPackaged(): Promise<Browser> {
  const folder = aFolder();
  const archives = path.join(
    path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))),
    '..',
    'bin',
  );
  await unpack(
    folder,
    ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => path.join(archives, name)),
  );
  const fontsFile = path.join(folder, 'fonts.conf'); // the package's own file names folders of AWS Lambda
  await writeFile(fontsFile, fontsConfiguration(folder));
  return chromium.launch({
    executablePath: path.join(folder, 'chromium'),
    // Not the package's flags, which disable web security. The sandbox needs a kernel that allows one.
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fontsFile },
  });
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
