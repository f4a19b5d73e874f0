import { cidr } from '../field/cidr.ts';
import { list } from '../field/list.ts';

/** Maximum number of networks: each is compared with the address of every call. */
const COUNT_MAX = 100;

/** The networks that calls may come from: at least one, since an empty list would lock everyone out. */
export function allowedCidrs() {
  return list(cidr()).min(1).max(COUNT_MAX);
}
