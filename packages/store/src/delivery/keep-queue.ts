/**
 * For functions that write `delivery` and its row in `delivery_queue` themselves, between `BEGIN_KEEPING_QUEUE` and
 * `END_KEEPING_QUEUE`: the triggers by which the queue follows everything else that is written to `delivery` then rest.
 */
export const BEGIN_KEEPING_QUEUE = `perform set_config('ivs.keeps_queue', 'on', true);`;
export const END_KEEPING_QUEUE = `perform set_config('ivs.keeps_queue', 'off', true);`;
