import type { InsertedRequest, NewRequest } from '@insurance-verification/store';

/** Stores one request; rejects when it was not stored or the outcome is unknown. */
export type RequestInserter = (request: NewRequest) => Promise<InsertedRequest>;
