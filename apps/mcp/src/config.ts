import { dataDirOf, findRunning, hasDataDir, readSecretFiles } from '@insurance-verification/environment';
import { mayBeApiKey } from './may-be-api-key.ts';

/** How agents reach this program. */
export interface Config {
  /** The key of the agent that started this process; undefined over HTTP, where each call carries its own. */
  readonly apiKey: string | undefined;
  /** Undefined: the agent uses stdin and stdout. */
  readonly listen: { readonly host: string; readonly port: number } | undefined;
}

/** The text of `--help`. */
export const HELP = `iv-mcp: the verification work queue as MCP tools, for AI agents.

Usage: iv-mcp            over stdin and stdout: the agent's program starts it
       iv-mcp --http     streamable HTTP at /mcp
       iv-mcp --help     this text

Environment:
  IV_URL       the service; when left out, the one that runs on this machine
               with DATA_DIR, the workspace's .data when left out too
  IV_API_KEY   without --http: the agent's key, with the scope verify;
               IV_API_KEY_FILE: a file with it
  MCP_HOST     with --http: where it listens, 127.0.0.1 when left out
  MCP_PORT     with --http: 3001 when left out

Over HTTP each call carries its agent's key, in x-key or as a bearer token.
`;

/** The environment or the arguments are unusable; the message says what was expected. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws {ConfigError} */
export function readConfig(args: readonly string[], environment: Environment): Config {
  const [transport, ...rest] = args;
  if (rest.length > 0 || (transport !== undefined && transport !== '--http')) {
    throw new ConfigError('Expected no argument, for stdio, or --http.');
  }
  if (transport === undefined) {
    const secrets = readSecretFiles(environment, ['IV_API_KEY']);
    const [fault] = secrets.faults;
    if (fault !== undefined) throw new ConfigError(fault);
    const apiKey = secrets.environment['IV_API_KEY'];
    if (!apiKey || !mayBeApiKey(apiKey))
      throw new ConfigError(`${secrets.sourceOf('IV_API_KEY')}: expected a key with the scope verify.`);
    return { apiKey, listen: undefined };
  }
  const port = Number(environment['MCP_PORT'] || '3001');
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError('MCP_PORT: expected a port number.');
  return { apiKey: undefined, listen: { host: environment['MCP_HOST'] || '127.0.0.1', port } };
}

/**
 * `IV_URL`, otherwise the service that runs on this `DATA_DIR`. No port is guessed: an agent's key would go to whoever
 * listens there.
 * @throws {ConfigError} when none runs, or several do
 */
export async function locateService(environment: Environment): Promise<string> {
  const given = environment['IV_URL'];
  if (given) {
    if (URL.canParse(given)) return given;
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
