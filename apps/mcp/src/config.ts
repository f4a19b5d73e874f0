import { dataDirOf, findRunning, hasDataDir, readSecretFiles } from '@insurance-verification/environment';

/** The text of `--help`. */
export const HELP = `iv-mcp: the verification work queue as MCP tools, for AI agents.

Usage: iv-mcp            the agent's program starts it, and speaks to it over
                         stdin and stdout
       iv-mcp --help     this text

It passes each message to the service, which answers at /mcp. A client that
speaks streamable HTTP needs no iv-mcp: give it that address, and the key in
x-key or as a bearer token.

Environment:
  IV_URL       the service; when left out, the one that runs on this machine
               with DATA_DIR, the workspace's .data when left out too
  IV_API_KEY   the agent's key, with the scope verify;
               IV_API_KEY_FILE: a file with it
`;

/** The environment or the arguments are unusable; the message says what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the service answers MCP, and the agent's key. @throws {ConfigError} */
export async function readConfig(
  args: readonly string[],
  environment: Environment,
): Promise<{ readonly url: URL; readonly apiKey: string }> {
  if (args.length > 0)
    throw new ConfigError('Expected no argument. Over HTTP the service itself answers, at /mcp.');
  const secrets = readSecretFiles(environment, ['IV_API_KEY']);
  const [fault] = secrets.faults;
  if (fault !== undefined) throw new ConfigError(fault);
  const apiKey = secrets.environment['IV_API_KEY'] ?? '';
  if (!/^[!-~]{1,200}$/.test(apiKey))
    throw new ConfigError(`${secrets.sourceOf('IV_API_KEY')}: expected a key with the scope verify.`);
  return { url: new URL('/mcp', await locateService(environment)), apiKey };
}

/**
 * `IV_URL`, otherwise the service that runs on this `DATA_DIR`. No port is guessed: the agent's key would go to the
 * program that listens there.
 * @throws {ConfigError} when none runs, or several do
 */
async function locateService(environment: Environment): Promise<string> {
  const given = environment['IV_URL'];
  if (given) {
    if (/^https?:/.test(given) && URL.canParse(given)) return given;
    throw new ConfigError('IV_URL: expected an http address, as http://127.0.0.1:3000.');
  }
  if (!hasDataDir(environment))
    throw new ConfigError('IV_URL is not set: expected an address, as https://verify.example.');
  const dataDir = dataDirOf(environment);
  const [url, ...others] = await findRunning(dataDir);
  if (url === undefined)
    throw new ConfigError(`No service is running with the data folder ${dataDir}, and IV_URL names none.`);
  if (others.length === 0) return url;
  const all = [url, ...others].join(', ');
  throw new ConfigError(
    `Several services run with the data folder ${dataDir}: ${all}. IV_URL names the one that is meant.`,
  );
}
