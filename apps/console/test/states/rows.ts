import type { Row } from './row.ts';
import { ROWS_OF_PEOPLE } from './rows-of-people.ts';
import { ROWS_OF_REQUESTS } from './rows-of-requests.ts';

/** Every page. A route of pages.tsx without a row fails a test, so that none is forgotten. */
export const ROWS: readonly Row[] = [...ROWS_OF_PEOPLE, ...ROWS_OF_REQUESTS];
