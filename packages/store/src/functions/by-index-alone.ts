/**
 * A cached plan must suit every table size, and the first is made while the tables are empty. So these settings make
 * the functions follow indexes row by row, and never scan a table, or half an index, for a join.
 */
export const BY_INDEX_ALONE = `set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off`;
