import { setTimeout as pause } from 'node:timers/promises';
import { applyNext } from '../apply-next.ts';
import { inMigrationTransaction } from '../in-migration-transaction.ts';
import { migrations } from '../migrations.ts';
import { lateOf, type Migrations, missingMigrations } from '../missing-migrations.ts';
import { takeTurn, TURN_PAUSE_MS } from '../take-turn.ts';
import { inOnlineTurn, runSteps } from './run-online.ts';

export interface LateMigrationOptions {
  /** Direct, and of the role that owns the tables. */
  readonly connectionString: string;
  /** Called when one begins, or goes on where a killed process left it. */
  readonly onBegin: (name: string) => void;
  /** Breaks it off; another call goes on from there. */
  readonly signal?: AbortSignal;
  /** Of a test. */
  readonly known?: Migrations;
}

export type LateMigration =
  /** It has ended; so many are left. */
  | { readonly kind: 'ended'; readonly name: string; readonly leftCount: number }
  /** Another process runs one. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'none' };

/**
 * Runs the next late migration that `migrate` has left. One process at a time: the others are told that it is busy. A
 * batch of rows that a kill cut short is done again; an index is built anew.
 */
export async function runLateMigration({
  connectionString,
  onBegin,
  signal,
  known = migrations,
}: LateMigrationOptions): Promise<LateMigration> {
  let run: LateMigration = { kind: 'none' };
  const wasMine = await inOnlineTurn(
    connectionString,
    async (client) => {
      const late = lateOf(await missingMigrations(client, known));
      const [next] = late;
      if (!next) return;
      onBegin(next.name);
      await runSteps(client, next);
      await record(connectionString, next.name, known);
      run = { kind: 'ended', name: next.name, leftCount: late.length - 1 };
    },
    signal,
  );
  return wasMine ? run : { kind: 'busy' };
}

async function record(connectionString: string, name: string, known: Migrations): Promise<void> {
  for (;;) {
    const runs = await inMigrationTransaction(connectionString, async (trx, client) => {
      if (!(await takeTurn(trx))) return false;
      const missing = await missingMigrations(client, known);
      if (missing[0]?.name === name) await applyNext(trx, missing, known);
      return true;
    });
    if (runs.at(-1)) return;
    await pause(TURN_PAUSE_MS);
  }
}
