/**
 * A plan that is kept must be right for every size of its tables, and the first is made when they are empty. So the
 * functions are told to go by the indexes, row by row, and never to read a table, or half an index, for a join.
 */
export const BY_INDEX_ALONE = `set plan_cache_mode to force_generic_plan
  set enable_seqscan to off set enable_hashjoin to off set enable_mergejoin to off`;
