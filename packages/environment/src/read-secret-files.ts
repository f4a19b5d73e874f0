import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** An environment with each secret under its own name, whatever its source. */
export interface SecretFiles {
  readonly environment: Record<string, string | undefined>;
  /** Human-readable sentences, each naming its variable and no secret. */
  readonly faults: readonly string[];
  /** The variable that provided a secret's value: `ENCRYPTION_KEY_FILE` or `ENCRYPTION_KEY`. */
  readonly sourceOf: (name: string) => string;
}

/**
 * Reads `NAME_FILE` for each secret `NAME`: the file holds the value, as container platforms and systemd provide
 * secrets, whereas a variable would show in its container's process list and in crash dumps. The trailing newline that
 * editors and `echo` add is removed. An empty variable counts as absent; setting both is a fault, since either may be a
 * leftover.
 */
export function readSecretFiles(given: Environment, names: readonly string[]): SecretFiles {
  const environment = { ...given };
  const faults: string[] = [];
  const fromFile = new Set<string>();
  for (const name of names) {
    const variable = `${name}_FILE`;
    const path = given[variable];
    delete environment[variable];
    if (!path) continue;
    fromFile.add(name);
    if (given[name]) faults.push(`${name} and ${variable} are both set. Set one of them.`);
    const read = readSecret(path);
    if ('fault' in read) faults.push(`${variable}: ${path} ${read.fault}.`);
    else environment[name] = read.secret;
  }
  return { environment, faults, sourceOf: (name) => (fromFile.has(name) ? `${name}_FILE` : name) };
}

function readSecret(path: string): { secret: string } | { fault: string } {
  try {
    const secret = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)).replace(/\r?\n$/, '');
    return secret === '' ? { fault: 'is empty' } : { secret };
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException;
    return { fault: code?.startsWith('ERR_') ? 'is not text' : `cannot be read (${code ?? 'unknown'})` };
  }
}
