/**
 * For functions that write `delivery` and its row in `delivery_queue` themselves, between `BEGIN_KEEPING_QUEUE` and
 * `END_KEEPING_QUEUE`: the triggers by which the queue follows everything else that is written to `delivery` then rest.
 *
 * A condition is evaluated by PL/pgSQL itself: `perform` runs a statement, for 8 µs.
 */
export const BEGIN_KEEPING_QUEUE = `if set_config('ivs.keeps_queue', 'on', true) is null then end if;`;
export const END_KEEPING_QUEUE = `if set_config('ivs.keeps_queue', 'off', true) is null then end if;`;
