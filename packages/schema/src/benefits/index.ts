export {
  BENEFIT_KINDS,
  BenefitKind,
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
  BenefitAuthorization,
  ProcedureSystem,
  RelatedParty,
  VerifierBenefitSource,
  X12BenefitSource,
} from './benefit.ts';
export {
  AmountSummary,
  BenefitSummary,
  LevelSummary,
  NetworkSummary,
  PlanSummary,
  ProcedureSummary,
  ServiceTypeSummary,
  SummaryGap,
  SummaryUnit,
  SummaryValue,
  CoverageBenefits,
  CoverageOrder,
  GetBenefits,
  PatientRelationship,
  RequestBenefits,
  UnansweredService,
} from './request-benefits.ts';
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
export { SUBMITTED_BENEFIT_COUNT_MAX, SubmittedBenefit, SubmittedCoverage } from './submitted-benefits.ts';
export { type Days, type RowTime, chosenPeriod, excludesDay, joinPeriods } from './row-days.ts';
export { onlyPlanName, planFinder } from './plan-names.ts';
export { type CoverageOfRows, isOfPatient, isOfWholePlan, isStatus, type ReadRow } from './read-rows.ts';
export {
  type AskedCode,
  BenefitReading,
  type CoverVerdict,
  summariseBenefits,
  unansweredServices,
} from './benefit-reading.ts';
export { isCovering, isDenying } from './summary-of-rows.ts';
