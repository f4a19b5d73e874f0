import type { BenefitPeriod } from '@insurance-verification/schema';
import type { Rejection } from '../answer/eligibility-answer.ts';

/** Codes of the EB segment in our own words. A code that is not listed names itself. */

/** EB04 (X12 1336). */
const INSURANCE_TYPES: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    12: 'Medicare second, by work at 65 and over',
    13: 'Medicare second, kidney disease',
    14: 'Medicare second, no-fault',
    15: "Medicare second, workers' compensation",
    16: 'Medicare second, public health service',
    41: 'Medicare second, black lung',
    42: 'Medicare second, veterans',
    43: 'Medicare second, disabled under 65',
    47: 'Medicare second, other liability',
    AP: 'automobile',
    C1: 'commercial',
    CO: 'COBRA',
    D: 'disability',
    DB: 'disability benefits',
    EP: 'exclusive provider organization',
    GP: 'group policy',
    HM: 'HMO',
    HN: 'Medicare Advantage HMO',
    HS: 'special low income Medicare',
    IN: 'indemnity',
    IP: 'individual policy',
    LC: 'long-term care',
    LD: 'long-term policy',
    LI: 'life',
    LT: 'litigation',
    MA: 'Medicare part A',
    MB: 'Medicare part B',
    MC: 'Medicaid',
    MH: 'Medigap part A',
    MI: 'Medigap part B',
    MP: 'Medicare, primary',
    OT: 'other',
    PR: 'PPO',
    PS: 'point of service',
    QM: 'qualified Medicare beneficiary',
    SP: 'supplemental policy',
    TV: 'Title V',
    WC: "workers' compensation",
  } as const),
);

/** EB04 that limits a coverage to some costs, accidents or needs, then those that say who pays first. */
const LIMITING: ReadonlySet<string> = new Set(
  'QM HS SP MH MI WC AP LT LI LC LD D 12 13 14 15 16 41 42 43 47'.split(' '),
);

/** Whether an insurance type limits or orders a coverage, so that it is not plainly active. */
export function isLimitingType(code: string): boolean {
  return LIMITING.has(code);
}

/** `type HM (HMO)`. */
export function insuranceTypeName(code: string): string {
  const name = INSURANCE_TYPES.get(code);
  return name === undefined ? `type ${code}` : `type ${code} (${name})`;
}

/** The time of an amount (EB06), after it in a sentence. */
const PERIODS: Partial<Record<BenefitPeriod, string>> = {
  hour: 'an hour',
  day: 'a day',
  hours_24: 'for 24 hours',
  years: 'for years',
  service_year: 'a service year',
  calendar_year: 'a calendar year',
  contract: 'a contract',
  episode: 'an episode',
  visit: 'a visit',
  lifetime: 'in a lifetime',
  month: 'a month',
  week: 'a week',
  admission: 'an admission',
};

/** ` a visit`, with the blank before it; empty for none. */
export function periodName(period: BenefitPeriod | null): string {
  const name = period === null ? undefined : PERIODS[period];
  return name === undefined ? '' : ` ${name}`;
}

/**
 * Service types (X12 1365, in EB03 and EQ01) in our own words. A code that is not listed names itself.
 */
const NAMES = new Map(
  `1 Medical care;2 Surgery;3 Consultation;4 X-ray diagnosis;5 Laboratory;6 Radiation therapy;7 Anesthesia
8 Surgical assistance;9 Other medical;10 Blood;11 Used equipment;12 Equipment bought;13 Surgery center;14 Kidney supplies
15 Other kidney care;16 Equipment rented;17 Testing before surgery;18 Purchased new equipment;19 Pneumonia vaccine;20 Second surgical opinion
21 Third surgical opinion;22 Social work;23 Diagnostic dental;24 Periodontics;25 Restorative dental;26 Endodontics
27 Maxillofacial prosthetics;28 Added dental services;30 The plan;32 Waiting time in the plan;33 Chiropractic;34 Chiropractic visits
35 Dental care;36 Dental crowns;37 Dental accident;38 Orthodontics;39 Prosthodontics;40 Oral surgery;41 Preventive dental
42 Home health care;43 Home health prescriptions;44 Home health visits;45 Hospice;46 Respite care;47 Hospital;48 Hospital, inpatient
49 Hospital room and board;50 Hospital, outpatient;51 Hospital, accident;52 Hospital, emergency;53 Hospital, day surgery;54 Long-term care
55 Major medical;56 Transport by ambulance;57 Transport by air;58 Cabulance;59 Ambulance;60 General benefits;61 Fertility treatment
62 MRI or CT scan;63 Donor procedures;64 Acupuncture;65 Newborn care;66 Pathology;67 Help to stop smoking;68 Well-baby care
69 Maternity;70 Transplants;71 Hearing test;72 Inhalation therapy;73 Diagnostic tests;74 Private nursing;75 Prosthetics;76 Dialysis
77 Ear examination;78 Chemotherapy;79 Allergy testing;80 Immunizations;81 Routine physical;82 Family planning;83 Infertility
84 Abortion;85 HIV and AIDS treatment;86 Emergency care;87 Cancer care;88 Pharmacy;89 Prescription drugs, free of charge
90 Prescriptions by mail;91 Brand drugs by mail;92 Generic drugs by mail;93 Podiatry;94 Podiatry visits, office
95 Podiatry visits, nursing home;96 Professional services;97 Anesthesiologist;98 Office visit;99 Inpatient visits of a professional
A0 Outpatient visits of a professional;A1 Home visits of a professional;A2 Nursing home visits of a professional;A3 Visits elsewhere of a professional
A4 Psychiatry;A5 Psychiatric room and board;A6 Psychotherapy;A7 Psychiatry, inpatient;A8 Psychiatry, outpatient;A9 Rehabilitation
AA Rehabilitation room and board;AB Rehabilitation, inpatient;AC Rehabilitation, outpatient;AD Occupational therapy;AE Physical medicine
AF Speech therapy;AG Skilled nursing;AH Skilled nursing room and board;AI Substance abuse;AJ Alcoholism;AK Drug addiction;AL Vision
AM Eye frames;AN Routine eye examination;AO Lenses;AQ Eye examination, not routine;AR Experimental drugs;B1 Burn care;B2 Brand drugs, on the list
B3 Brand drugs, not on the list;BA Medical evaluation by another;BB Partial hospitalization, psychiatry;BC Day care, psychiatry
BD Cognitive therapy;BE Massage therapy;BF Lung rehabilitation;BG Heart rehabilitation;BH Pediatrics;BI Nursery
BJ Skin;BK Orthopedics;BL Heart;BM Lymphatic system;BN Digestive system;BP Endocrine system;BQ Nervous system;BR Eye
BS Invasive procedures;BT Gynecology;BU Obstetrics;BV Obstetrics and gynecology;BW Brand drugs by mail, on the list
BX Brand drugs by mail, not on the list;BY Sick visit;BZ Well visit;C1 Coronary care;CA Private nursing, inpatient
CB Private nursing at home;CC Surgical benefits, professional;CD Surgical benefits, facility;CE Mental health, inpatient, professional
CF Mental health, outpatient, professional;CG Mental health, inpatient, facility;CH Mental health, outpatient, facility
CI Substance abuse, inpatient, facility;CJ Substance abuse, outpatient, facility;CK X-ray screening;CL Laboratory screening
CM Mammogram, high risk;CN Mammogram, low risk;CO Flu vaccination;CP Eyewear;CQ Case management;DG Dermatology
DM Durable medical equipment;DS Diabetic supplies;GF Generic drugs, on the list;GN Generic drugs, not on the list;GY Allergy
IC Intensive care;MH Mental health;NI Newborn intensive care;ON Oncology;PT Physical therapy;PU Lung
RN Kidney;RT Residential psychiatric care;SMH Serious mental health;TC Transitional care;TN Transitional nursery;UC Urgent care`
    .split(/[;\n]/)
    .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)] as const),
);

/** More names do not help a reader. */
const NAME_COUNT_MAX = 12;

/**
 * `Service type 35 (Dental care)`, `Service types 35 (Dental care), 88 (Pharmacy)`, in the order given. Inside of a sentence
 * it begins with `service`.
 */
export function serviceTypeNames(codes: Iterable<string>, word: 'Service' | 'service' = 'Service'): string {
  const [only = '', second] = codes;
  if (second === undefined) return `${word} type ${withName(only)}`;
  const all = [...new Set(codes)];
  if (all.length === 1) return `${word} type ${withName(only)}`;
  const named = all.slice(0, NAME_COUNT_MAX).map(withName);
  if (all.length > named.length) named.push(`${all.length - named.length} more`);
  return `${word} types ${named.join(', ')}`;
}

function withName(code: string): string {
  const name = serviceTypeName(code);
  return name === null ? code : `${code} (${name})`;
}

/** Null for a code that is not listed. */
export function serviceTypeName(code: string): string | null {
  return NAMES.get(code) ?? NAMES.get(code.toUpperCase()) ?? null;
}

/** More distinct codes than any answer in the field has. */
export const CODE_COUNT_MAX = 20;

/** The distinct AAA03 of rejections. They go into logs, so anything not shaped like a code is dropped. */
export function payerCodesOf(rejections: readonly Rejection[]): string[] {
  if (rejections.length === 0) return [];
  const codes = new Set<string>();
  for (const { code } of rejections) {
    if (codes.size === CODE_COUNT_MAX) break;
    codes.add(/^[A-Z0-9]{1,3}$/i.test(code) ? `AAA ${code}` : 'AAA ?');
  }
  return [...codes];
}

/** A comparison form of names: payers differ in case, blanks and punctuation. */
export function plainText(text: string): string {
  if (text === '') return text;
  return text.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Whether two names or ids are alike in that form. */
export function isSamePlain(one: string, other: string): boolean {
  return one === other || plainText(one) === plainText(other);
}
