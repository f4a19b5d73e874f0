import type { ResponseModel } from '@insurance-verification/schema';

/**
 * How the values of a field are compared. A comparison never calls two values nearly the same unless it is of kind
 * `name`: an operator reads that as a slip of the pen, and lets the result out.
 *
 * | kind      | for                                                        | finds                                   |
 * |-----------|------------------------------------------------------------|-----------------------------------------|
 * | `exact`   | enumerations, NPI, plan names, notes, machines' ids, money | equal or different, nothing between     |
 * | `codes`   | lists of codes                                             | also the same codes in another order    |
 * | `instant` | date-times                                                 | also the same instant written otherwise |
 * | `own`     | what each result has of its own: an entry's id and time    | nothing                                 |
 * | `date`    | dates                                                      | which digits differ or are swapped      |
 * | `id`      | ids that people read off and type                          | which characters differ or are swapped  |
 * | `name`    | names and addresses                                        | also what is nearly the same            |
 */
export type ComparisonKind = 'exact' | 'codes' | 'instant' | 'own' | 'date' | 'id' | 'name';

/** A field of a result: how it is compared, what it is called, and where the request has it under another path. */
export type ComparedField = readonly [
  kind: ComparisonKind,
  name: string,
  asked?: FieldPath<ResponseModel> | undefined,
];

/** The JSON pointer of each value of a model; `*` is the place in a list. A list of texts is one value. */
export type FieldPath<T> = T extends string | number | boolean | readonly string[]
  ? ''
  : T extends readonly (infer Item)[]
    ? `/*${FieldPath<Item>}`
    : T extends object
      ? { [Key in keyof T & string]-?: `/${Key}${FieldPath<NonNullable<T[Key]>>}` }[keyof T & string]
      : never;

/** Every field of a result, in the order of the review: what distinguishes patients comes first. */
export const COMPARED_FIELDS = {
  '/request/input/patient_info/subscriber_id': ['id', 'Member id'],
  '/request/input/patient_info/dob': ['date', 'Date of birth'],
  '/request/input/patient_info/name': ['name', 'Patient'],
  '/request/input/patient_info/address': ['name', 'Address'],
  '/request/input/payer_info/name': ['exact', 'Payer'],
  '/request/input/payer_info/phone_number': ['id', 'Payer’s phone'],
  '/request/input/provider_info/npi': ['exact', 'NPI'],
  '/request/input/provider_info/name': ['name', 'Provider'],
  '/request/input/provider_info/tin': ['id', 'TIN'],
  '/request/input/provider_info/organization_name': ['name', 'Organization'],
  '/request/input/cpt_code_coverage': ['codes', 'Codes'],
  '/request/input/callback_url': ['exact', 'Goes to'],
  '/request/request_id': ['exact', 'Request id'],
  '/request/received_timestamp': ['instant', 'Received'],
  '/request/state': ['exact', 'Outcome'],
  '/request/error_reason': ['exact', 'Reason'],
  '/insurance_data/*/patient_info/subscriber_id': [
    'id',
    'Member id at the payer',
    '/request/input/patient_info/subscriber_id',
  ],
  '/insurance_data/*/patient_info/dob': [
    'date',
    'Date of birth at the payer',
    '/request/input/patient_info/dob',
  ],
  '/insurance_data/*/patient_info/name': ['name', 'Patient at the payer', '/request/input/patient_info/name'],
  '/insurance_data/*/patient_info/address': [
    'name',
    'Address at the payer',
    '/request/input/patient_info/address',
  ],
  '/insurance_data/*/plan_info/payer_name': [
    'exact',
    'Payer that answered',
    '/request/input/payer_info/name',
  ],
  '/insurance_data/*/plan_info/eligibility_status': ['exact', 'Eligibility'],
  '/insurance_data/*/plan_info/plan_name': ['exact', 'Plan'],
  '/insurance_data/*/plan_info/start_date': ['date', 'Start date'],
  '/insurance_data/*/plan_info/end_date': ['date', 'End date'],
  '/insurance_data/*/plan_info/cpt_code_coverage': ['codes', 'Covered codes'],
  '/insurance_data/*/notes': ['exact', 'Notes'],
  '/insurance_data/*/verification_source': ['exact', 'Channel'],
  '/insurance_data/*/verification_time': ['own', 'Verification time'],
  '/insurance_data/*/request_id': ['exact', 'Request that it answers', '/request/request_id'],
  '/insurance_data/*/uuid': ['own', 'Entry id'],
  '/insurance_data/*/person_uuid': ['exact', 'Person id'],
} as const satisfies Record<FieldPath<ResponseModel>, ComparedField>;
