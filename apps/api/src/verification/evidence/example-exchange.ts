import type { X12Exchange } from '@insurance-verification/schema';

/** An X12 exchange about the example's patient: only enough segments to show what they are. */
export const exampleExchange: X12Exchange = {
  control_number: 104_201,
  payer_id: 'plan-1',
  started_at: '2026-11-20T09:30:01.000Z',
  duration_ms: 2_140,
  status_code: 200,
  error_reason: null,
  fixed_by: null,
  explanation: null,
  payer_codes: [],
  inquiry: [
    'ISA*00*          *00*          *ZZ*MAINSTREET     *ZZ*60054          *261120*0930*^*00501*000104201*0*P*:~',
    'GS*HS*MAINSTREET*60054*20261120*0930*104201*X*005010X279A1~ST*270*0001*005010X279A1~',
    'NM1*IL*1*DOE*JANE****MI*W123456789~DMG*D8*19840517~EQ*35~SE*12*0001~GE*1*104201~IEA*1*000104201~',
  ].join(''),
  answer: [
    'ISA*00*          *00*          *ZZ*60054          *ZZ*MAINSTREET     *261120*0930*^*00501*000104201*0*P*:~',
    'GS*HB*60054*MAINSTREET*20261120*0930*104201*X*005010X279A1~ST*271*0001*005010X279A1~',
    'NM1*IL*1*DOE*JANE****MI*W123456789~EB*1**35**PPO GOLD~SE*14*0001~GE*1*104201~IEA*1*000104201~',
  ].join(''),
};
