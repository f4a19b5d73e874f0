import type { InsertedRequest, NewRequest } from '@insurance-verification/store';

/** Stores one request; rejects when it was not stored, or when that is not known. */
export type RequestInserter = (request: NewRequest) => Promise<InsertedRequest>;
