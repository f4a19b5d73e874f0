/**
 * What a session needs, whatever its role, its database or the server sets: dates, numbers and bytes as node-postgres reads
 * them, lists that may hold null, days that begin in UTC, and statements that see what was committed before they began.
 * Others cost at most time, or are the operator's to set, such as `default_transaction_read_only`.
 */
export const sessionSettings = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  array_nulls: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
} as const;

/**
 * The statement that each connection begins with. A commit that is answered is on the disk: `off` would answer before; how
 * many standbys have it as well is the operator's to say.
 */
export const SET_SESSION = `${Object.entries(sessionSettings)
  .map(([name, value]) => `set ${name} = '${value}'`)
  .join(
    '; ',
  )}; select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;
