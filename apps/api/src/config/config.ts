import { readSecretFiles, sealFileOf } from '@insurance-verification/environment';
import type { SealKey } from '@insurance-verification/store';
import { isLoopbackHost, type RetrySchedule } from '@insurance-verification/webhook';
import type * as z from 'zod';
import { Environment, LISTS, type Role, type Secret, SECRETS } from './environment.ts';
import { type PayerConnection, readConnections } from './payer-connections.ts';
import { arePlaceholders, EXAMPLES, type Payers, readPayers } from './payers.ts';
import { type SignInConfig, readSignIn } from './read-provider.ts';

/** The environment, read once and validated. `apps/docs/configuration.md` documents it. */
export interface Config extends SignInConfig {
  readonly production: boolean;
  readonly host: string;
  /** Whether `host` is reachable only from this machine. */
  readonly onLoopback: boolean;
  /** A laptop: not production, and on loopback. Only then are unauthenticated outputs trusted. */
  readonly local: boolean;
  /** Whether people sign in here: by a link only with `local`. */
  readonly hasConsole: boolean;
  /** Where browsers reach the service; undefined: at any address of this machine. */
  readonly publicUrl: URL | undefined;
  /** Undefined: this process lacks the http role and serves no probes either. */
  readonly port: number | undefined;
  /** Undefined: the embedded server in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** For migrations and LISTEN, bypassing a transaction pooler; undefined if no different. */
  readonly databaseDirectUrl: string | undefined;
  readonly dataDir: string;
  /** Whether the database is the one in `dataDir`. */
  readonly isEmbedded: boolean;
  readonly payers: Payers;
  /** Of the payers that have an API channel. */
  readonly connections: readonly PayerConnection[];
  /** Undefined: the embedded database keeps a key in `dataDir`. */
  readonly encryptionKey: string | undefined;
  /** Undefined: the embedded database keeps one in `dataDir`; with another database nothing is sealed. */
  readonly auditSealKey: SealKey | undefined;
  /** The file that each seal of the audit is also written to and compared with before the next; undefined: only the database and the log. */
  readonly auditSealFile: string | undefined;
  readonly bootstrapApiKey: string | undefined;
  readonly bootstrapWebhookSecret: string | undefined;
  readonly roles: readonly Role[];
  /** Connections of this process's pool. */
  readonly databasePoolMax: number;
  readonly outputTrust: 'open' | 'keyed';
  /** Whether the environment set the trust; otherwise it follows from `local`. */
  readonly outputTrustIsChosen: boolean;
  readonly retrySchedule: RetrySchedule;
  readonly allowCidrs: readonly string[];
  readonly egressProxyUrl: string | undefined;
  readonly bodyBytesMax: number;
  /** Outputs per minute from a client without a verifier's key, where such outputs are not trusted. */
  readonly anonymousOutputLimit: number;
  /** Maximum size of each of them. */
  readonly anonymousBodyBytes: number;
  /** Networks of proxies that are trusted to report the client's address. */
  readonly trustedProxies: readonly string[];
  /** How long a verifier may be silent before its request is due again. */
  readonly workLeaseSeconds: number;
  /** How long backups and archived log of the database are kept; null: not configured. */
  readonly backupDays: number | null;
  /** The port that serves `/metrics` and nothing else; undefined: at `port`, see `metricsAtPort`. */
  readonly metricsPort: number | undefined;
  /** The bearer token that `/metrics` requires; undefined: none. */
  readonly metricsToken: string | undefined;
  /** Whether `port` answers `/metrics`: with a token, or only for this machine. */
  readonly metricsAtPort: boolean;
  /** The collector's address for traces over OTLP/HTTP; undefined: no tracing. */
  readonly tracesUrl: string | undefined;
  readonly logLevel: string;
  /** The variable that a secret came from: `DATABASE_URL`, or `DATABASE_URL_FILE` if that provided it. */
  readonly sourceOf: (secret: Secret) => string;
}

/** The environment is unusable. One line per fault, each naming its variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(faults: readonly string[]) {
    super(`The configuration cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/**
 * Reads the environment; an empty variable counts as absent, except a list.
 * @throws {ConfigError} with every fault at once.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const secrets = readSecretFiles(environment, SECRETS);
  const given = Object.fromEntries(
    Object.entries(secrets.environment).filter(([name, value]) => value !== '' || LISTS.includes(name)),
  );
  const parsed = Environment.safeParse(given);
  const { PAYERS, PAYERS_FILE, WORKERS } = given;
  const payers = valueOrFault(() => readPayers({ PAYERS, PAYERS_FILE }));
  const faults = [
    ...secrets.faults,
    ...(parsed.error?.issues.map((issue) => faultOf(issue, secrets.sourceOf)) ?? []),
    ...(typeof payers === 'string' ? [payers] : []),
    // Set for an earlier version: ignored, it would leave a machine of eight cores with one process.
    ...(WORKERS !== undefined && WORKERS !== '1'
      ? [
          'WORKERS: expected 1 or nothing, since it is no longer supported; apps/docs/deploying.md#several-processes shows how to run several.',
        ]
      : []),
  ];
  if (!parsed.success || typeof payers === 'string' || faults.length > 0) throw new ConfigError(faults);
  const env = parsed.data;
  const production = env.NODE_ENV === 'production';
  const onLoopback = isLoopbackHost(env.HOST);
  // With an https address of its own it serves others than this machine, through a proxy.
  const isPublic = env.PUBLIC_URL?.protocol === 'https:';
  const local = !production && onLoopback && !isPublic;
  // Without the http role the probes need an explicit port: an http process on this machine would have 3000.
  const mainPort = env.PORT ?? (env.ROLES.includes('http') ? 3000 : undefined);
  const missing = [
    ...(production && !env.DATABASE_URL ? ['DATABASE_URL: required in production.'] : []),
    ...(production && arePlaceholders(payers)
      ? [
          PAYERS_FILE
            ? `PAYERS_FILE: ${PAYERS_FILE} has the placeholder names, which are for a first run. A right example: ${EXAMPLES.PAYERS_FILE}`
            : `PAYERS: required in production; the placeholder names are for a first run. A right example: ${EXAMPLES.PAYERS}`,
        ]
      : []),
    ...((production || env.DATABASE_URL) && !env.ENCRYPTION_KEY
      ? [
          'ENCRYPTION_KEY: required in production and with DATABASE_URL, for example "k1:$(openssl rand -base64 32)".',
        ]
      : []),
    ...(env.AUDIT_SEAL_FILE && env.DATABASE_URL && !env.AUDIT_SEAL_KEY
      ? ['AUDIT_SEAL_FILE: nothing is sealed with DATABASE_URL and without AUDIT_SEAL_KEY. Set both or none.']
      : []),
    ...(env.METRICS_PORT && env.METRICS_PORT === mainPort
      ? ['METRICS_PORT: expected another port than PORT; METRICS_TOKEN guards /metrics there.']
      : []),
  ];
  const connections = valueOrFault(() =>
    readConnections({
      payers: payers.all,
      credentials: env.X12_CREDENTIALS,
      credentialsSource: secrets.sourceOf('X12_CREDENTIALS'),
      production,
    }),
  );
  if (typeof connections === 'string') missing.push(connections);
  const people = valueOrFault(() => readSignIn(env, production || !onLoopback));
  if (typeof people === 'string') missing.push(people);
  if (missing.length > 0 || typeof connections === 'string' || typeof people === 'string')
    throw new ConfigError(missing);
  return {
    production,
    host: env.HOST,
    onLoopback,
    local,
    hasConsole: (local || people.signInWay !== 'link') && env.ROLES.includes('http'),
    ...people,
    publicUrl: env.PUBLIC_URL,
    port: mainPort,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    dataDir: env.DATA_DIR,
    isEmbedded: env.DATABASE_URL === undefined,
    payers,
    connections,
    encryptionKey: env.ENCRYPTION_KEY,
    auditSealKey: env.AUDIT_SEAL_KEY,
    auditSealFile: sealFileOf(given),
    bootstrapApiKey: env.BOOTSTRAP_API_KEY,
    bootstrapWebhookSecret: env.BOOTSTRAP_WEBHOOK_SECRET,
    roles: env.ROLES,
    databasePoolMax: env.DATABASE_POOL_MAX,
    outputTrust: env.VERIFICATION_OUTPUT_TRUST ?? (local ? 'open' : 'keyed'),
    outputTrustIsChosen: env.VERIFICATION_OUTPUT_TRUST !== undefined,
    retrySchedule: env.WEBHOOK_RETRY_SCHEDULE,
    allowCidrs: env.WEBHOOK_ALLOW_CIDRS ?? (local ? ['127.0.0.0/8', '::1/128'] : []),
    egressProxyUrl: env.EGRESS_PROXY_URL,
    bodyBytesMax: env.MAX_BODY_BYTES,
    anonymousOutputLimit: env.ANONYMOUS_OUTPUT_LIMIT,
    anonymousBodyBytes: env.ANONYMOUS_BODY_BYTES,
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    workLeaseSeconds: env.WORK_LEASE_SECONDS,
    backupDays: env.BACKUP_DAYS ?? null,
    metricsPort: env.METRICS_PORT,
    metricsToken: env.METRICS_TOKEN,
    metricsAtPort:
      env.METRICS_PORT === undefined && (env.METRICS_TOKEN !== undefined || (onLoopback && !isPublic)),
    tracesUrl: env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/*$/, '/v1/traces'),
    logLevel: env.LOG_LEVEL,
    sourceOf: secrets.sourceOf,
  };
}

/** A field's fault as one line for a person. Some messages already begin with the variable's name. */
function faultOf({ path, message }: z.core.$ZodIssue, sourceOf: (variable: string) => string): string {
  const name = String(path[0]);
  return message.startsWith(name)
    ? `${sourceOf(name)}${message.slice(name.length)}`
    : `${sourceOf(name)}: ${message}`;
}

/** The result of `read`, or the message of the TypeError it throws. */
function valueOrFault<T extends object>(read: () => T): T | string {
  try {
    return read();
  } catch (err) {
    if (err instanceof TypeError) return err.message;
    throw err;
  }
}
