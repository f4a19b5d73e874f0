import { type Month, monthAfter, monthAt } from '../partitions/month.ts';
import { boundOf, MONTHLY_TABLES, partitionOf } from '../partitions/monthly-tables.ts';

interface Database {
  /** Changes it as the role that owns the tables. */
  readonly sql: (text: string) => Promise<unknown>;
}

/**
 * Lets the tables look as after so many months of service: one partition for each month that passed, and the present
 * one's. What is in them now must be of the present month.
 * @returns the months that passed, earliest first. The first one also holds every id of before.
 */
export async function monthsPassed({ sql }: Database, count: number): Promise<Month[]> {
  const present = monthAt(Date.now());
  const months = Array.from({ length: count }, (_, index) => monthAfter(present, index - count));
  const statements = MONTHLY_TABLES.flatMap((table) => {
    const { name } = table;
    const to = (month: Month) => `to ('${boundOf(table, monthAfter(month))}')`;
    return [
      `do $$ declare part name; begin
         for part in select inhrelid::regclass from pg_inherits where inhparent = '${name}'::regclass
           and inhrelid <> '${name}_later'::regclass
         loop execute format('alter table ${name} detach partition %I', part);
           execute format('alter table %I rename to ${name}_now', part); end loop; end $$`,
      `alter table ${name} detach partition ${name}_later`,
      ...months.map((month, index) => {
        const from = index === 0 ? '(minvalue)' : `('${boundOf(table, month)}')`;
        return `create table ${partitionOf(name, month)} partition of ${name} for values from ${from} ${to(month)}`;
      }),
      `alter table ${name} attach partition ${name}_now for values from ('${boundOf(table, present)}') ${to(present)}`,
      `alter table ${name}_now rename to ${partitionOf(name, present)}`,
      `alter table ${name} attach partition ${name}_later
         for values from ('${boundOf(table, monthAfter(present))}') to (maxvalue)`,
    ];
  });
  for (const statement of statements) await sql(statement);
  return months;
}
