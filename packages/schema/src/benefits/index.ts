export { BENEFIT_KINDS, BenefitKind } from './benefit-kind.ts';
export {
  AmountSummary,
  BenefitSummary,
  LevelSummary,
  NetworkSummary,
  PlanSummary,
  ProcedureSummary,
  ServiceTypeSummary,
  SummaryGap,
  SummaryValue,
} from './benefit-summary.ts';
export {
  BenefitDateKind,
  BenefitLevel,
  BenefitNetwork,
  BenefitPeriod,
  BenefitReferenceKind,
  BenefitUnit,
  InsuranceType,
  RelatedRole,
} from './benefit-terms.ts';
export {
  Benefit,
  BenefitDate,
  BenefitFrequency,
  BenefitInsuranceType,
  BenefitProcedure,
  BenefitQuantity,
  BenefitRate,
  BenefitReference,
  BenefitService,
  NamedCode,
  ProcedureSystem,
  RelatedParty,
  VerifierBenefitSource,
  X12BenefitSource,
} from './benefit.ts';
export {
  CoverageBenefits,
  CoverageOrder,
  GetBenefits,
  PatientRelationship,
  RequestBenefits,
  UnansweredService,
} from './request-benefits.ts';
export { SUBMITTED_BENEFIT_COUNT_MAX, SubmittedBenefit, SubmittedCoverage } from './submitted-benefits.ts';
export { type Days, excludesDay, joinPeriods } from './reading/periods.ts';
export { onlyPlanName, planFinder } from './reading/plan-names.ts';
export { type CoverageOfRows, isOfPatient } from './reading/speaking-rows.ts';
export { type AskedCode, BenefitReading, summariseBenefits } from './reading/summarise-benefits.ts';
