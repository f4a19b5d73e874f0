import { createDraftList, createListedDraft } from './draft/draft-list.ts';
import { HTTPValidationError, ValidationError } from './fault/validation-error.ts';
import { PatientInfo } from './intake/info/patient-info.ts';
import { createPayerInfo } from './intake/info/payer-info.ts';
import { createPayer } from './intake/info/payer.ts';
import { ProviderInfo } from './intake/info/provider-info.ts';
import { createRequestInfo } from './intake/info/request-info.ts';
import { createRequestModel } from './intake/request-model.ts';
import { createFoundCoverage, createRequestView } from './intake/request-view.ts';
import { createRequestList } from './intake/search/request-list.ts';
import { createHeldComparison } from './output/held-comparison.ts';
import { createHeldOutputDetail } from './output/held-output-detail.ts';
import { createResponseModel } from './output/response-model.ts';
import { createVerificationProof } from './output/verification-proof.ts';
import { assertPayerNames, type PayerNames } from './payers.ts';
import { RequestState } from './request-state.ts';
import { EligibilityStatus } from './verification/eligibility-status.ts';
import { createInsurancePlanData } from './verification/insurance-plan-data.ts';
import { createPlanInfo } from './verification/plan-info.ts';
import { VerificationSource } from './verification/verification-source.ts';
import { createClaimWork } from './verification/work/claim-work.ts';
import { createSubmitWork } from './verification/work/submit-work.ts';
import {
  createWorkItem,
  createWorkItemList,
  createWorkPayer,
  createWorkPayerList,
} from './verification/work/work-item.ts';
import { createChannelStats, createWorkStats } from './verification/work/work-stats.ts';

/**
 * Makes every model of the spec, and the operation models that contain a payer, for one payer configuration. Models
 * without a payer are the same objects in every result.
 *
 * @param options.payers exactly four distinct, non-empty names; literal names stay literal in the inferred types.
 * @throws TypeError for any other `payers`.
 */
export function createSchemas<const P extends PayerNames>({ payers }: { readonly payers: P }) {
  assertPayerNames(payers);
  const Payer = createPayer<P>(payers);
  const PayerInfo = createPayerInfo<P>(Payer);
  const RequestInfo = createRequestInfo<P>(PayerInfo);
  const RequestModel = createRequestModel<P>(RequestInfo);
  const PlanInfo = createPlanInfo<P>(Payer);
  const InsurancePlanData = createInsurancePlanData<P>(PlanInfo);
  const ResponseModel = createResponseModel<P>(RequestModel, InsurancePlanData);
  const HeldOutputDetail = createHeldOutputDetail<P>(ResponseModel);
  const WorkPayer = createWorkPayer<P>(Payer);
  const WorkItem = createWorkItem<P>(RequestModel, WorkPayer);
  const ChannelStats = createChannelStats<P>(Payer);
  const FoundCoverage = createFoundCoverage<P>(PlanInfo);
  const ListedDraft = createListedDraft<P>(Payer);
  return {
    ResponseModel,
    RequestModel,
    RequestInfo,
    PatientInfo,
    PayerInfo,
    ProviderInfo,
    InsurancePlanData,
    PlanInfo,
    RequestState,
    VerificationSource,
    EligibilityStatus,
    Payer,
    HTTPValidationError,
    ValidationError,
    RequestList: createRequestList<P>(RequestModel),
    FoundCoverage,
    RequestView: createRequestView<P>({ foundCoverage: FoundCoverage, responseModel: ResponseModel }),
    VerificationProof: createVerificationProof<P>({
      foundCoverage: FoundCoverage,
      responseModel: ResponseModel,
    }),
    HeldOutputDetail,
    HeldComparison: createHeldComparison<P>({
      detail: HeldOutputDetail,
      requestModel: RequestModel,
      responseModel: ResponseModel,
    }),
    ClaimWork: createClaimWork<P>(Payer),
    WorkPayer,
    WorkPayerList: createWorkPayerList<P>(WorkPayer),
    WorkItem,
    WorkItemList: createWorkItemList<P>(WorkItem),
    SubmitWork: createSubmitWork<P>(InsurancePlanData),
    ChannelStats,
    WorkStats: createWorkStats<P>(ChannelStats),
    ListedDraft,
    DraftList: createDraftList<P>(ListedDraft),
  };
}

/** The result of {@link createSchemas} for the payer names `P`. */
export type Schemas<P extends PayerNames = PayerNames> = ReturnType<typeof createSchemas<P>>;
