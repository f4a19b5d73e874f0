import type { SegmentValue } from '../envelope/write-interchange.ts';

/** The three kinds of answers that a clinic sees most. */
export type SampleName = 'medical' | 'dental' | 'medicare';

/**
 * What a payer answers of an active patient, as such payers send it in the field: the segments after the patient's name,
 * for the plan's year. For the payer simulator, the sandbox and examples; it is of no real patient or payer.
 */
export function sampleAnswer(name: SampleName, year: number): readonly SegmentValue[] {
  return SAMPLES[name](year).map(segmentOf);
}

/** Of the elements only the procedures have components. */
function segmentOf(line: string): SegmentValue {
  const [id = '', ...elements] = line.split('*');
  return [id, ...elements.map((text) => (text.includes(':') ? text.split(':') : text))];
}

const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A preferred provider plan with 67 rows: two networks, places, visits, authorizations, carve-outs. */
const medical = (year: number) =>
  lines(`
  REF*6P*70112*ACME WORKS
  DTP*346*D8*${year}0101
  EB*1*IND*30*PR*GOLD PPO 1500
  LS*2120
  NM1*P3*1*WELBY*MARCUS****XX*1234567893
  PER*IC**TE*5555550111
  LE*2120
  EB*1**48
  EB*1**50
  EB*1**86
  EB*1**98
  EB*1**MH
  EB*1**UC
  EB*C*IND*30***23*1500*****Y
  DTP*292*RD8*${year}0101-${year}1231
  EB*C*IND*30***29*900*****Y
  EB*C*FAM*30***23*3000*****Y
  EB*C*FAM*30***29*2100*****Y
  EB*C*IND*30***23*3000*****N
  EB*C*IND*30***29*3000*****N
  EB*C*FAM*30***23*6000*****N
  EB*C*FAM*30***29*6000*****N
  EB*G*IND*30***23*5000*****Y
  EB*G*IND*30***29*4350*****Y
  EB*G*FAM*30***23*10000*****Y
  EB*G*FAM*30***29*9100*****Y
  EB*G*IND*30***23*10000*****N
  EB*G*IND*30***29*10000*****N
  EB*G*FAM*30***23*20000*****N
  EB*G*FAM*30***29*20000*****N
  EB*A*IND*30*****.2****Y
  EB*A*IND*30*****.4****N
  EB*B*IND*98***27*25*****Y
  III*ZZ*11
  MSG*PRIMARY CARE OFFICE VISIT
  EB*B*IND*98***27*50*****Y
  III*ZZ*11
  MSG*SPECIALIST OFFICE VISIT
  EB*A*IND*98*****.4****N
  III*ZZ*11
  EB*B*IND*98***27*10*****Y
  III*ZZ*10
  MSG*TELEHEALTH
  EB*B*IND*UC***27*60*****Y
  EB*A*IND*UC*****.4****N
  EB*B*IND*86***27*250*****W
  MSG*WAIVED IF ADMITTED
  EB*A*IND*48*****.2***Y*Y
  EB*B*IND*48***36*300****Y*Y
  EB*A*IND*48*****.4***Y*N
  EB*A*IND*50*****.2****Y
  EB*A*IND*50*****.4****N
  EB*A*IND*13*****.2****Y
  III*ZZ*24
  EB*A*IND*4*****.2****Y
  EB*A*IND*5*****0****Y
  MSG*IN NETWORK LABORATORY
  EB*A*IND*5*****.4****N
  EB*A*IND*62*****.2***Y*Y
  MSG*PRIOR AUTHORIZATION FOR MRI, CT, PET
  EB*A*IND*62*****.4***Y*N
  EB*B*IND*33***27*50*****Y
  EB*F*IND*33******VS*20**Y
  HSD*VS*20***23*1
  EB*F*IND*33***29***VS*14**Y
  EB*B*IND*PT***27*50*****Y
  EB*F*IND*PT******VS*30**W
  HSD*VS*30***23*1
  MSG*PHYSICAL, OCCUPATIONAL AND SPEECH THERAPY TOGETHER
  EB*F*IND*PT***29***VS*22**W
  EB*A*IND*PT*****.4****N
  EB*B*IND*MH***27*25*****Y
  MSG*OUTPATIENT
  EB*A*IND*MH*****.4****N
  EB*A*IND*A7*****.2***Y*Y
  EB*B*IND*AL***27*25*****Y
  EB*F*IND*AL******VS*1**Y
  HSD*VS*1***23*2
  EB*A*IND*81*****0****Y
  MSG*PREVENTIVE CARE, DEDUCTIBLE WAIVED
  EB*A*IND*80*****0****Y
  EB*I*IND*81*********N
  EB*A*IND*DM*****.2***Y*Y
  EB*A*IND*AG*****.2***Y*Y
  EB*F*IND*AG******DY*60**W
  HSD*DY*60***23*1
  EB*A*IND*42*****.2***Y*Y
  EB*F*IND*42******VS*100**W
  HSD*VS*100***23*1
  EB*A*IND*45*****.2***Y*Y
  EB*E**84*********W
  EB*I**AR*********W
  EB*U*IND*88
  MSG*PHARMACY BENEFITS ARE HELD ELSEWHERE
  LS*2120
  NM1*VN*2*EXAMPLE PHARMACY BENEFITS*****PI*RX001
  PER*IC*MEMBER SERVICES*TE*5555550142*UR*rx.example
  LE*2120`);

/** A dental plan: percent by class, frequencies with the last date, waiting periods, maximums. */
const dental = (year: number) =>
  lines(`
  REF*6P*D4410
  DTP*346*D8*${year}0101
  EB*1*IND*30*IN*DENTAL PPO PLUS
  EB*1*IND*35*IN*DENTAL PPO PLUS
  EB*F*IND*35***23*1500*****Y
  EB*F*IND*35***29*1120*****Y
  EB*F*IND*35***23*1000*****N
  EB*F*IND*38***32*1500*****W
  EB*F*IND*38***33*1500*****W
  EB*C*IND*35***23*50*****W
  EB*C*IND*35***29*0*****W
  EB*C*FAM*35***23*150*****W
  EB*A*IND*23*****0****Y
  EB*A*IND*41*****0****Y
  EB*A*IND*23*****.2****N
  EB*A*IND*41*****.2****N
  EB*A*IND*25*****.2****Y
  EB*A*IND*26*****.2****Y
  EB*A*IND*24*****.2****Y
  EB*A*IND*36*****.5****Y
  MSG*WAITING PERIOD OF 12 MONTHS FOR MAJOR SERVICES MET
  EB*A*IND*39*****.5****Y
  MSG*MISSING TOOTH CLAUSE APPLIES
  EB*A*IND*38*****.5****W
  EB*F*IND*38******S7*19**W
  EB*1*IND**********Y*AD:D0120
  EB*1*IND**********Y*AD:D1110
  EB*1*IND**********Y*AD:D0274
  EB*1*IND**********Y*AD:D0210
  EB*1*IND**********Y*AD:D2750
  EB*A*IND******0*VS*2*N*Y*AD:D0120
  HSD*VS*2***23*1
  DTP*304*D8*${year}0218
  EB*A*IND******0*VS*2*N*Y*AD:D1110
  HSD*VS*2***23*1
  DTP*304*D8*${year}0218
  EB*A*IND******0*VS*1*N*Y*AD:D0274
  HSD*VS*1***23*1
  EB*A*IND******0*VS*1*N*Y*AD:D0210
  HSD*VS*1***21*5
  EB*A*IND******.5***Y*Y*AD:D2750
  MSG*ONE CROWN A TOOTH IN FIVE YEARS
  EB*I*IND**********Y*AD:D9230`);

/** Medicare parts A and B, with another payer after it. */
const medicare = (year: number) =>
  lines(`
  EB*1**30*MA
  DTP*291*D8*20200501
  EB*1**30*MB
  DTP*291*D8*20200501
  EB*C**30*MA**26*1736
  DTP*291*RD8*${year}0101-${year}1231
  EB*C**30*MA**29*1736
  DTP*291*RD8*${year}0101-${year}1231
  EB*C**30*MB**23*283
  DTP*292*RD8*${year}0101-${year}1231
  EB*C**30*MB**29*0
  DTP*292*RD8*${year}0101-${year}1231
  EB*A**30*MB****.2
  EB*B**48*MA**7*434
  HSD*DY*30***26*1
  EB*K**48*MA**33***LA*60
  EB*F**AG*MA*****DY*100
  EB*F**AD*MB***2410
  MSG*USED AMOUNT 640
  EB*R**30*C1
  REF*IG*XG889120
  DTP*290*D8*20210101
  LS*2120
  NM1*SEP*2*SUPPLEMENT MUTUAL*****PI*SM001
  N3*1 INSURANCE WAY
  N4*OMAHA*NE*68101
  PER*IC**TE*5555550177
  LE*2120`);

const SAMPLES = { medical, dental, medicare } as const;
