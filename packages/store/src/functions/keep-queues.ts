/**
 * For functions that write `request` or `delivery` and its row in `work_queue` or `delivery_queue` themselves, between
 * `BEGIN_KEEPING_QUEUES` and `END_KEEPING_QUEUES`: the triggers by which the queues follow every other update then rest.
 *
 * A condition is evaluated by PL/pgSQL itself: `perform` runs a statement, for 8 µs.
 */
export const BEGIN_KEEPING_QUEUES = `if set_config('ivs.keeps_queue', 'on', true) is null then end if;`;
export const END_KEEPING_QUEUES = `if set_config('ivs.keeps_queue', 'off', true) is null then end if;`;
