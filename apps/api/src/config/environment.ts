import { fileURLToPath } from 'node:url';
import {
  mayBeApiKey,
  parseDatabaseAddress,
  parseMasterKeys,
  readSealKey,
} from '@insurance-verification/store';
import {
  createAddressGuard,
  DEFAULT_RETRY_SCHEDULE,
  isWebhookSecret,
  parseRetrySchedule,
} from '@insurance-verification/webhook';
import * as z from 'zod';
import { checked, list, port } from './config-fields.ts';
import { PROVIDER_VARIABLES } from './read-provider.ts';

/** What a process does. One process does all of it by default. */
const ROLES = ['http', 'delivery', 'verification'] as const;
export type Role = (typeof ROLES)[number];

const workspaceRoot = fileURLToPath(new URL('../../../../', import.meta.url));

/** Lists, for which an empty text is an empty list. Any other empty variable counts as absent. */
export const LISTS = ['ROLES', 'WEBHOOK_RETRY_SCHEDULE', 'WEBHOOK_ALLOW_CIDRS', 'TRUSTED_PROXIES'];

/** Variables that must not be read over somebody's shoulder: each may come from a file named by `…_FILE`. */
export const SECRETS = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'ENCRYPTION_KEY',
  'BOOTSTRAP_API_KEY',
  'BOOTSTRAP_WEBHOOK_SECRET',
  'X12_CREDENTIALS',
  'METRICS_TOKEN',
  'EGRESS_PROXY_URL',
  'OIDC_CLIENT_SECRET',
  'AUDIT_SEAL_KEY',
] as const;
export type Secret = (typeof SECRETS)[number];

const databaseUrl = () => checked((text) => (parseDatabaseAddress(text), text));

/** The variables, each by itself; what must hold between them is `readConfig`'s. */
export const Environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port().optional(),
  DATABASE_URL: databaseUrl().optional(),
  DATABASE_DIRECT_URL: databaseUrl().optional(),
  DATABASE_POOL_MAX: z.coerce.number('expected a number of connections').int().min(2).max(200).default(20),
  DATA_DIR: z.string().default(`${workspaceRoot}.data`),
  PAYERS: z.string().optional(),
  PAYERS_FILE: z.string().optional(),
  ENCRYPTION_KEY: checked((text) => (parseMasterKeys(text), text)).optional(),
  AUDIT_SEAL_KEY: checked(readSealKey).optional(),
  AUDIT_SEAL_FILE: z.string().optional(),
  BOOTSTRAP_API_KEY: z
    .string()
    .refine(
      mayBeApiKey,
      'expected 20 to 200 printable characters without spaces; an ivk_ key with its right checksum',
    )
    .optional(),
  BOOTSTRAP_WEBHOOK_SECRET: z
    .string()
    .refine(isWebhookSecret, 'expected whsec_ and base64 of 24 to 64 bytes')
    .optional(),
  ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform(list)
    .pipe(z.array(z.enum(ROLES)).min(1, `names no role: expected some of ${ROLES.join(',')}`)),
  VERIFICATION_OUTPUT_TRUST: z.enum(['open', 'keyed']).optional(),
  WEBHOOK_RETRY_SCHEDULE: checked(parseRetrySchedule).default(DEFAULT_RETRY_SCHEDULE),
  WEBHOOK_ALLOW_CIDRS: checked(
    (text) => (createAddressGuard({ allowCidrs: list(text) }), list(text)),
  ).optional(),
  EGRESS_PROXY_URL: z.url({ protocol: /^https?$/, error: 'expected http://proxy:port' }).optional(),
  MAX_BODY_BYTES: z.coerce
    .number('expected a number of bytes')
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(1_048_576),
  ANONYMOUS_OUTPUT_LIMIT: z.coerce
    .number('expected a number a minute')
    .int()
    .min(1)
    .max(1_000_000)
    .default(60),
  ANONYMOUS_BODY_BYTES: z.coerce
    .number('expected a number of bytes')
    .int()
    .min(1024)
    .max(64 * 1024 * 1024)
    .default(262_144),
  TRUSTED_PROXIES: checked((text) => (createAddressGuard({ allowCidrs: list(text) }), list(text))).optional(),
  WORK_LEASE_SECONDS: z.coerce.number('expected a number of seconds').int().min(5).max(3600).default(120),
  BACKUP_DAYS: z.coerce.number('expected a number of days').int().min(0).max(3650).optional(),
  X12_CREDENTIALS: z.string().optional(),
  METRICS_PORT: port().optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{20,200}$/, 'expected 20 to 200 printable characters without spaces')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'expected http://collector:4318' })
    .optional(),
  ...PROVIDER_VARIABLES,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

/** Every variable that `readConfig` reads. */
export const CONFIG_VARIABLES: readonly string[] = Object.keys(Environment.shape);
