import type {
  CloseRequest,
  DeliveryList,
  ListRequests,
  NotedCopy,
  PayerList,
  PayerNames,
  RequestList,
  RequestModel,
  RequestReaderList,
  RequestRef,
  RequestSummaryList,
  RequestView,
  ResponseModel,
  Schemas,
  SearchRequests,
  VerificationAttemptList,
  X12ExchangeList,
} from '@insurance-verification/schema';
import type * as z from 'zod';
import type { Mutation, Query } from './procedure.ts';

/** What a provider asks for, and what operators see of it. */
export interface IntakeProcedures<P extends PayerNames> {
  requests: {
    /** Stores a request and returns it as pending. With an Idempotency-Key a retry stores it only once. */
    create: Mutation<z.input<Schemas<P>['RequestInfo']>, RequestModel<P>>;
    /** The account's requests, newest first. */
    list: Query<z.input<typeof ListRequests>, RequestList<P>>;
    /**
     * Requests by id, Idempotency-Key, whole member id or how they stand, newest first, without their patients; an
     * operator's call covers every account. With rare matches a page may be short or empty before the last one: only a
     * `next_cursor` of null marks the end.
     */
    search: Mutation<z.input<typeof SearchRequests>, RequestSummaryList>;
    /** One request in its current state; for an operator any account's. 404 `not_found`, 410 `request_erased`. */
    get: Query<RequestRef, RequestModel<P>>;
    /** The current result; for an operator any account's. 404 `result_not_ready` before there is one, 410 `request_erased`. */
    result: Query<RequestRef, ResponseModel<P>>;
    /** A request's deliveries with all attempts; for an operator any account's. 404 `not_found`. */
    deliveries: Query<RequestRef, DeliveryList>;
    /** Starts a new round of attempts for an exhausted or delivered message. 409 `no_result`, 410 `request_erased`. */
    redeliver: Mutation<RequestRef, RequestModel<P>>;
    /** Ends an unfinished request as error_verifying, delivered like any result. 409 `request_finished`. */
    close: Mutation<RequestRef & CloseRequest, RequestModel<P>>;
    /** Every attempt at a request: why it failed, and who must fix it. */
    attempts: Query<RequestRef, VerificationAttemptList>;
    /** The X12 inquiries to payers about a request, and their answers: for operators. */
    exchanges: Query<RequestRef, X12ExchangeList>;
    /** Everything that happened to a request; the patient only for callers who may post requests of its account. */
    view: Query<RequestRef, RequestView<P>>;
    /** The request with its patient, and the result, for a page that did not show them. Each call is on record. */
    reveal: Mutation<RequestRef, ResponseModel<P>>;
    /** Records that patient data was copied out of a page. */
    noteCopy: Mutation<RequestRef, NotedCopy>;
    /** Who did what with a request, and how often: for operators and auditors. */
    readers: Query<RequestRef, RequestReaderList>;
  };
  payers: {
    /** The payers that requests may name. */
    list: Query<void, PayerList>;
  };
  demo: {
    /** Makes a request of the test account that the sandbox answers; on a machine of one's own alone. 404 `not_found`. */
    play: Mutation<void, RequestModel<P>>;
  };
}
