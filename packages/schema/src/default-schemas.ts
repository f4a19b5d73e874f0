import type * as z from 'zod';
import { createSchemas, type Schemas } from './create-schemas.ts';
import { DEFAULT_PAYERS, type PayerNames } from './payers.ts';

/**
 * The models over the placeholder payers, for a first run, tests and documentation; {@link createSchemas} makes them over
 * others. This holds for every model of this file. Each type takes the payer names as `P`; the default, any string, fits
 * a service whose payers are configured at run time.
 */
export const defaultSchemas = createSchemas({ payers: DEFAULT_PAYERS });

/** A verification result: the body of Verification Output and of the webhook. */
export const ResponseModel = defaultSchemas.ResponseModel;
/** {@link ResponseModel} as a type, over the payer names `P`. */
export type ResponseModel<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['ResponseModel']>;

/** A request as the service holds it. */
export const RequestModel = defaultSchemas.RequestModel;
/** {@link RequestModel} as a type, over the payer names `P`. */
export type RequestModel<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['RequestModel']>;

/** What a client asks for: the body of Create Request. */
export const RequestInfo = defaultSchemas.RequestInfo;
/** {@link RequestInfo} as a type, over the payer names `P`. */
export type RequestInfo<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['RequestInfo']>;

/** The payer to ask. */
export const PayerInfo = defaultSchemas.PayerInfo;
/** {@link PayerInfo} as a type, over the payer names `P`. */
export type PayerInfo<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['PayerInfo']>;

/** One coverage a verification found. A payer may answer several. */
export const InsurancePlanData = defaultSchemas.InsurancePlanData;
/** {@link InsurancePlanData} as a type, over the payer names `P`. */
export type InsurancePlanData<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['InsurancePlanData']>;

/** One insurance plan as the payer described it. No field is required. */
export const PlanInfo = defaultSchemas.PlanInfo;
/** {@link PlanInfo} as a type, over the payer names `P`. */
export type PlanInfo<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['PlanInfo']>;

/** One of the four configured payer plan names. */
export const Payer = defaultSchemas.Payer;
/** {@link Payer} as a type, over the payer names `P`. */
export type Payer<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['Payer']>;

/** A row of a batch: a request, and the sender's own id for it. */
export const BatchRow = defaultSchemas.BatchRow;
/** {@link BatchRow} as a type, over the payer names `P`. */
export type BatchRow<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['BatchRow']>;

/** A batch to create over tRPC (`batches.create`). */
export const CreateBatch = defaultSchemas.CreateBatch;
/** {@link CreateBatch} as a type, after the default is filled in, over the payer names `P`. */
export type CreateBatch<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['CreateBatch']>;

/** An accepted row of a batch, with its result (`batches.results`). */
export const BatchResult = defaultSchemas.BatchResult;
/** {@link BatchResult} as a type, over the payer names `P`. */
export type BatchResult<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['BatchResult']>;

/** Accepted rows with their results, in the order of the rows (`batches.results`). */
export const BatchResultList = defaultSchemas.BatchResultList;
/** {@link BatchResultList} as a type, over the payer names `P`. */
export type BatchResultList<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['BatchResultList']>;

/** One page of requests, newest first (`requests.list`). */
export const RequestList = defaultSchemas.RequestList;
/** {@link RequestList} as a type, over the payer names `P`. */
export type RequestList<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['RequestList']>;

/** A request to seed, with its right answer (`knownAnswers.create`). */
export const SeedKnownAnswer = defaultSchemas.SeedKnownAnswer;
/** {@link SeedKnownAnswer} as a type, over the payer names `P`. */
export type SeedKnownAnswer<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['SeedKnownAnswer']>;

/** A coverage that was found, without the patient. */
export const FoundCoverage = defaultSchemas.FoundCoverage;
/** {@link FoundCoverage} as a type, over the payer names `P`. */
export type FoundCoverage<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['FoundCoverage']>;

/** Everything that happened to a request (`requests.view`). */
export const RequestView = defaultSchemas.RequestView;
/** {@link RequestView} as a type, over the payer names `P`. */
export type RequestView<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['RequestView']>;

/** The question, who was asked, who asked and when, and the answer (`requests.proof`). */
export const VerificationProof = defaultSchemas.VerificationProof;
/** {@link VerificationProof} as a type, over the payer names `P`. */
export type VerificationProof<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['VerificationProof']>;

/** One held output with its body (`heldOutputs.get`). */
export const HeldOutputDetail = defaultSchemas.HeldOutputDetail;
/** {@link HeldOutputDetail} as a type, over the payer names `P`. */
export type HeldOutputDetail<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['HeldOutputDetail']>;

/** A held output compared with its request and the current result (`heldOutputs.compare`). */
export const HeldComparison = defaultSchemas.HeldComparison;
/** {@link HeldComparison} as a type, over the payer names `P`. */
export type HeldComparison<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['HeldComparison']>;

/** What a verifier can work on (`work.claim`). */
export const ClaimWork = defaultSchemas.ClaimWork;
/** {@link ClaimWork} as a type, over the payer names `P`. */
export type ClaimWork<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['ClaimWork']>;

/** The payer as a verifier needs it. */
export const WorkPayer = defaultSchemas.WorkPayer;
/** {@link WorkPayer} as a type, over the payer names `P`. */
export type WorkPayer<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['WorkPayer']>;

/** Every payer as a verifier needs it. */
export const WorkPayerList = defaultSchemas.WorkPayerList;
/** {@link WorkPayerList} as a type, over the payer names `P`. */
export type WorkPayerList<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['WorkPayerList']>;

/** A request that only the claimer may work on until its lease ends. */
export const WorkItem = defaultSchemas.WorkItem;
/** {@link WorkItem} as a type, over the payer names `P`. */
export type WorkItem<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['WorkItem']>;

/** The requests leased by a claim. */
export const WorkItemList = defaultSchemas.WorkItemList;
/** {@link WorkItemList} as a type, over the payer names `P`. */
export type WorkItemList<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['WorkItemList']>;

/** Submits a verification's findings (`work.submit`). */
export const SubmitWork = defaultSchemas.SubmitWork;
/** {@link SubmitWork} as a type, over the payer names `P`. */
export type SubmitWork<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['SubmitWork']>;

/** Corrects the caller's own result (`work.correct`). */
export const CorrectWork = defaultSchemas.CorrectWork;
/** {@link CorrectWork} as a type, over the payer names `P`. */
export type CorrectWork<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['CorrectWork']>;

/** One channel of one payer: its current state and its last 24 hours. */
export const ChannelStats = defaultSchemas.ChannelStats;
/** {@link ChannelStats} as a type, over the payer names `P`. */
export type ChannelStats<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['ChannelStats']>;

/** Every channel of every payer's route (`work.stats`). */
export const WorkStats = defaultSchemas.WorkStats;
/** {@link WorkStats} as a type, over the payer names `P`. */
export type WorkStats<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['WorkStats']>;

/** A draft that the caller saved last, without its content (`drafts.list`). */
export const ListedDraft = defaultSchemas.ListedDraft;
/** {@link ListedDraft} as a type, over the payer names `P`. */
export type ListedDraft<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['ListedDraft']>;

/** One page of the drafts that the caller saved last (`drafts.list`). */
export const DraftList = defaultSchemas.DraftList;
/** {@link DraftList} as a type, over the payer names `P`. */
export type DraftList<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['DraftList']>;
