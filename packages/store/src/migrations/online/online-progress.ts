import type pg from 'pg';
import type { StepPlace } from './online-migration.ts';

/** How far an online migration is, for whoever goes on with it after a kill. */
export interface OnlineProgress {
  readonly isDone: (step: number) => boolean;
  readonly placeOf: (step: number) => StepPlace;
  readonly end: (step: number) => Promise<void>;
  readonly forget: () => Promise<void>;
}

/** Opens the table that keeps it, which is there only while an online migration is under way. */
export async function openProgress(client: pg.ClientBase, migration: string): Promise<OnlineProgress> {
  await client.query(`create table if not exists online_progress (
    migration text not null,
    step integer not null,
    last text, -- the id up to which a move of rows went
    is_done boolean not null,
    primary key (migration, step)
  )`);
  const { rows } = await client.query<{ step: number; last: string | null; is_done: boolean }>(
    'select step, last, is_done from online_progress where migration = $1',
    [migration],
  );
  const kept = new Map(rows.map((row) => [row.step, row]));
  const keep = async (step: number, last: string | null, isDone: boolean) =>
    void (await client.query(
      `insert into online_progress (migration, step, last, is_done) values ($1, $2, $3, $4)
       on conflict (migration, step) do update set last = excluded.last, is_done = excluded.is_done`,
      [migration, step, last, isDone],
    ));
  return {
    isDone: (step) => kept.get(step)?.is_done === true,
    placeOf: (step) => ({
      last: kept.get(step)?.last ?? undefined,
      keep: (last) => keep(step, last, false),
    }),
    end: (step) => keep(step, null, true),
    forget: async () => void (await client.query('drop table online_progress')),
  };
}
