import { createDraftList, createListedDraft } from './draft/draft-list.ts';
import { HTTPValidationError, ValidationError } from './fault/validation-errors.ts';
import {
  createBatchResult,
  createBatchResultList,
  createBatchRow,
  createCreateBatch,
} from './intake/batch.ts';
import {
  PatientInfo,
  createPayerInfo,
  createPayer,
  ProviderInfo,
  createRequestInfo,
} from './intake/request-info.ts';
import {
  createRequestList,
  createRequestModel,
  createFoundCoverage,
  createRequestView,
} from './intake/request-view.ts';
import { createHeldComparison } from './output/held-comparison.ts';
import { createHeldOutputDetail } from './output/held-output.ts';
import { createSeedKnownAnswer } from './output/known-answer.ts';
import { createResponseModel } from './output/response-model.ts';
import { createVerificationProof } from './output/verification-proof.ts';
import { assertPayerNames, type PayerNames } from './payers.ts';
import { RequestState } from './request-state.ts';
import {
  EligibilityStatus,
  createInsurancePlanData,
  createPlanInfo,
  VerificationSource,
} from './verification/insurance-plan-data.ts';
import { createChannelStats, createWorkStats } from './verification/work-stats.ts';
import {
  createClaimWork,
  createCorrectWork,
  createSubmitWork,
  createWorkItem,
  createWorkItemList,
  createWorkPayer,
  createWorkPayerList,
} from './verification/work.ts';

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
  const BatchRow = createBatchRow<P>(RequestInfo);
  const BatchResult = createBatchResult<P>(InsurancePlanData);
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
    BatchRow,
    CreateBatch: createCreateBatch<P>(BatchRow),
    BatchResult,
    BatchResultList: createBatchResultList<P>(BatchResult),
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
    SeedKnownAnswer: createSeedKnownAnswer<P>(RequestInfo),
    ClaimWork: createClaimWork<P>(Payer),
    WorkPayer,
    WorkPayerList: createWorkPayerList<P>(WorkPayer),
    WorkItem,
    WorkItemList: createWorkItemList<P>(WorkItem),
    SubmitWork: createSubmitWork<P>(InsurancePlanData),
    CorrectWork: createCorrectWork<P>(InsurancePlanData),
    ChannelStats,
    WorkStats: createWorkStats<P>(ChannelStats),
    ListedDraft,
    DraftList: createDraftList<P>(ListedDraft),
  };
}

/** The result of {@link createSchemas} for the payer names `P`. */
export type Schemas<P extends PayerNames = PayerNames> = ReturnType<typeof createSchemas<P>>;
