import type * as z from 'zod';
import { createSchemas, type Schemas } from './create-schemas.ts';
import { DEFAULT_PAYERS, type PayerNames } from './payers.ts';

/**
 * The models over the placeholder payers, for a first run, tests and documentation. Each type takes the payer names as
 * `P`: left out, a payer is any string, which fits a service whose payers are configured at run time.
 */
export const defaultSchemas = createSchemas({ payers: DEFAULT_PAYERS });

/** A verification result: the body of Verification Output and of the webhook (spec 2.1 and 4.2). Over the placeholder payers; {@link createSchemas} makes it over others. */
export const ResponseModel = defaultSchemas.ResponseModel;
/** {@link ResponseModel} as a type, over the payer names `P`. */
export type ResponseModel<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['ResponseModel']>;

/** A request as the service holds it (spec 2.2). Over the placeholder payers; {@link createSchemas} makes it over others. */
export const RequestModel = defaultSchemas.RequestModel;
/** {@link RequestModel} as a type, over the payer names `P`. */
export type RequestModel<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['RequestModel']>;

/** What a client asks for: the body of Create Request (spec 2.3 and 4.1). Over the placeholder payers; {@link createSchemas} makes it over others. */
export const RequestInfo = defaultSchemas.RequestInfo;
/** {@link RequestInfo} as a type, over the payer names `P`. */
export type RequestInfo<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['RequestInfo']>;

/** The payer to ask (spec 2.5). Over the placeholder payers; {@link createSchemas} makes it over others. */
export const PayerInfo = defaultSchemas.PayerInfo;
/** {@link PayerInfo} as a type, over the payer names `P`. */
export type PayerInfo<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['PayerInfo']>;

/** One coverage a verification found (spec 2.7). A payer may answer several. Over the placeholder payers; {@link createSchemas} makes it over others. */
export const InsurancePlanData = defaultSchemas.InsurancePlanData;
/** {@link InsurancePlanData} as a type, over the payer names `P`. */
export type InsurancePlanData<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['InsurancePlanData']>;

/** One insurance plan as the payer described it (spec 2.8). No field is required. Over the placeholder payers; {@link createSchemas} makes it over others. */
export const PlanInfo = defaultSchemas.PlanInfo;
/** {@link PlanInfo} as a type, over the payer names `P`. */
export type PlanInfo<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['PlanInfo']>;

/** One of the four configured payer plan names (spec 2.9). Over the placeholder payers; {@link createSchemas} makes it over others. */
export const Payer = defaultSchemas.Payer;
/** {@link Payer} as a type, over the payer names `P`. */
export type Payer<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['Payer']>;

/** One page of requests, newest first (api.md, `requests.list`). Over the placeholder payers; {@link createSchemas} makes it over others. */
export const RequestList = defaultSchemas.RequestList;
/** {@link RequestList} as a type, over the payer names `P`. */
export type RequestList<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['RequestList']>;

/** One held output with its body (api.md, `heldOutputs.get`). Over the placeholder payers; {@link createSchemas} makes it over others. */
export const HeldOutputDetail = defaultSchemas.HeldOutputDetail;
/** {@link HeldOutputDetail} as a type, over the payer names `P`. */
export type HeldOutputDetail<P extends PayerNames = PayerNames> = z.infer<Schemas<P>['HeldOutputDetail']>;
