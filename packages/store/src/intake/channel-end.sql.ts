import { databaseFunction } from '../functions/database-function.ts';

/**
 * When the time of a request in a channel ends that it enters now. One that is needed by a time stays for half of what is
 * left of it at most, so that a slower channel has the other half; but for a minute, which whoever works the channel needs
 * to take it. Once that time is past nothing is to be gained, and the channel has its whole time again. In the last
 * channel of a route `planOverdue` gives it back: there is no other.
 */
export const channelEndFunction = databaseFunction(`
  create function channel_end(seconds_max float8, needed_by timestamptz) returns timestamptz language sql stable as $$
    select now() + make_interval(secs => case
      when needed_by > now() then least(seconds_max, greatest(60, extract(epoch from needed_by - now())::float8 / 2))
      else seconds_max
    end)
  $$`);
