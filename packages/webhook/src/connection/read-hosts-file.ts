import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** The operating system's file of static names. */
export const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/**
 * The hosts file's addresses for a name, in file order; empty when the file is missing.
 *
 * `dns.lookup` would read it too, but it runs on the four threads shared with files and crypto, and queries DNS again
 * with the search domains: a name server that answers "no such name" and then hangs would stall the process. Reading
 * the file costs 0.1 ms.
 */
export async function readHostsFile(path: string, name: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return isIP(address) !== 0 && names.some((candidate) => candidate.toLowerCase() === name)
      ? [address]
      : [];
  });
}
