/** Places of service (III02 after `ZZ`; CMS keeps the list) in our own words. What is not listed has no name. */
const NAMES = new Map(
  `01 Pharmacy;02 Telehealth, not at home;03 School;04 Homeless shelter;05 Indian Health Service, own building
06 Indian Health Service, with a provider;07 Tribal facility, own building;08 Tribal facility, with a provider;09 Prison
10 Telehealth, at home;11 Office;12 Home;13 Assisted living;14 Group home;15 Mobile unit;16 Temporary lodging
17 Walk-in clinic in a shop;18 Place of work;19 Outpatient hospital, off campus;20 Urgent care;21 Hospital, inpatient
22 Hospital, outpatient;23 Hospital, emergency room;24 Surgery center;25 Birthing center;26 Military facility
27 Outreach on the street;31 Skilled nursing facility;32 Nursing facility;33 Custodial care;34 Hospice
41 Ambulance, land;42 Ambulance, air or water;49 Independent clinic;50 Federal health center
51 Psychiatric hospital, inpatient;52 Psychiatric hospital, partial;53 Mental health center
54 Care for intellectual disabilities;55 Residential substance abuse care;56 Residential psychiatric care
57 Substance abuse care, outpatient;58 Opioid treatment;60 Mass immunization;61 Rehabilitation, inpatient
62 Rehabilitation, outpatient;65 Kidney disease center;66 Care for the elderly, all-inclusive;71 Public health clinic
72 Rural health clinic;81 Laboratory;99 Elsewhere`
    .split(/[;\n]/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const),
);

/** Null for a place that is not listed. */
export function placeName(code: string): string | null {
  return NAMES.get(code) ?? null;
}
