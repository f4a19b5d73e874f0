import { relative } from 'node:path';
import { dataDirOf } from '@insurance-verification/environment';
import {
  createApiKeyText,
  createSignInLink,
  ensureDefaultAccount,
  ensureFirstStaff,
  findApiKey,
  FIRST_STAFF_ID,
  mayBeApiKey,
  type Store,
} from '@insurance-verification/store';
import { createWebhookSecret } from '@insurance-verification/webhook';
import type { Config } from '../../config/config.ts';
import type { LocalSecrets } from './local-secrets.ts';

/** What can be reported of the keys that the first start makes: of the account `default` and of the one for tests. */
export interface FirstKeys {
  readonly live: FirstKey;
  readonly test: FirstKey;
}

interface FirstKey {
  /** The key's text if this start made it: shown once. */
  readonly made: string | null;
  /** Where it is kept, if the key there works. */
  readonly path: string | null;
}

const FILES = { live: 'api-key', test: 'test-api-key' } as const;

/**
 * Ensures the first accounts and their keys:
 *
 * | started                              | keys                                                                  |
 * |--------------------------------------|-----------------------------------------------------------------------|
 * | with `BOOTSTRAP_API_KEY`             | that one                                                              |
 * | on the embedded database             | made, shown once and kept in `DATA_DIR`; one kept there is reused     |
 * | with `DATABASE_URL`                  | made and shown once; no file is written                               |
 * | in production, or without the role `http` | none: anyone who reads a log could use a key in it. `iv keys first` makes them |
 */
export async function openFirstKeys(config: Config, store: Store, secrets: LocalSecrets): Promise<FirstKeys> {
  const isEmbedded = config.databaseUrl === undefined;
  const made = await ensureDefaultAccount(store, {
    apiKey: config.bootstrapApiKey,
    webhookSecret: config.bootstrapWebhookSecret,
    createWebhookSecret,
    createKey:
      config.production || !config.roles.includes('http')
        ? null
        : isEmbedded
          ? (mode) => keptOrNew(secrets, mode)
          : createApiKeyText,
  });
  const pathOf = async (mode: 'live' | 'test') =>
    isEmbedded && (await worksStill(store, secrets.read(FILES[mode]))) ? secrets.pathOf(FILES[mode]) : null;
  return {
    live: { made: made.live, path: await pathOf('live') },
    test: { made: made.test, path: await pathOf('test') },
  };
}

/** A new database reuses an existing key: overwriting would lose the key for the database it came from. */
function keptOrNew(secrets: LocalSecrets, mode: 'live' | 'test'): string {
  const kept = secrets.read(FILES[mode]);
  if (kept?.startsWith(`ivk_${mode}_`) === true && mayBeApiKey(kept)) return kept;
  const text = createApiKeyText(mode);
  secrets.keep(FILES[mode], text);
  return text;
}

async function worksStill(store: Store, kept: string | undefined): Promise<boolean> {
  return kept !== undefined && mayBeApiKey(kept) && (await findApiKey(store, kept)).kind === 'found';
}

/**
 * A new link for the first person, at each start; null if an administrator ended that person, which a start respects.
 */
export async function openFirstLink(store: Store): Promise<string | null> {
  await ensureFirstStaff(store);
  const created = await createSignInLink(store, {
    caller: null,
    staffId: FIRST_STAFF_ID,
    way: 'link',
  });
  return created.kind === 'created' ? created.token : null;
}

/** The greeting's lines about the first keys, followed by an empty line; none if the operator brought a key. */
export function keyLines({ live, test }: FirstKeys, config: Config): string[] {
  if (config.bootstrapApiKey !== undefined) return [];
  if (config.production) {
    return ['  Keys: none is printed in production. The first are made with', '    iv keys first', ''];
  }
  const lines = [...linesOf('Live key', live), ...linesOf('Test key', test)];
  if (live.made === null && live.path === null) lines.push(...lostKeyLines(config));
  return [...lines, ''];
}

function linesOf(name: string, { made, path }: FirstKeys['live']): string[] {
  const kept = path === null ? 'shown this once' : `kept in ${shortPath(path)}`;
  if (made !== null) return [`  ${name}  ${made}`, `            ${kept}`];
  return path === null ? [] : [`  ${name}  ${kept}`];
}

/** The live key was made earlier, and no file holds a working one. */
function lostKeyLines({ databaseUrl, dataDir }: Config): string[] {
  const again = 'npx -y pnpm@12 iv keys first --replace';
  if (databaseUrl !== undefined)
    return ['  Live key  shown when it was made; another, with this DATABASE_URL:', `            ${again}`];
  // Without it, the command would make one for the database of the default folder.
  const folder = dataDir === dataDirOf({}) ? '' : `DATA_DIR=${shellWord(dataDir)} `;
  return ['  Live key  not kept here any more; another:', `            ${folder}${again}`];
}

/** Text as one word of a shell's command. */
export function shellWord(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A path as the person would type it here. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
