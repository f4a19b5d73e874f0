import { findTestAccount, removeDemoAccounts } from '@insurance-verification/store';
import { nothingHere } from '../procedure/problem.ts';
import type { Handlers } from '../procedure/procedure.ts';
import { refuse } from '../procedure/refuse.ts';
import { DEMO_RECEIVER_PATH, oneAtATime, playDemoDay } from './play-demo-day.ts';

/** Plays of the demo, on a developer's machine only. */
export const demo: Handlers<'demo'> = {
  play: async ({ ctx: { app, call, caller } }) => {
    const address = app.ownAddress();
    if (!app.config.local || address === undefined) throw nothingHere();
    const found = await findTestAccount(app.store, { caller });
    if (found.kind !== 'found') return refuse(found);
    const [payer] = app.config.payers.names;
    const inserted = await app.insertRequest({
      caller: { ...caller, accountId: found.accountId, mode: 'test' },
      payerId: app.config.payers.idOf(payer),
      idempotencyKey: null,
      input: {
        patient_info: { subscriber_id: 'TEST-ACTIVE', dob: '1984-05-17', name: 'Jane Doe' },
        payer_info: { name: payer },
        provider_info: { npi: '1234567893', name: 'Main Street Dental' },
        cpt_code_coverage: ['D0120', 'D1110'],
        callback_url: `${address}${DEMO_RECEIVER_PATH}`,
      },
    });
    if (!('request' in inserted)) throw new Error('A demo has no idempotency key.');
    app.wakeVerification();
    call.concerns(inserted.request.request_id ?? '');
    return inserted.request;
  },

  playDay: playDemoDay,

  clearDay: async ({ ctx: { app, caller } }) => {
    if (!app.config.local) throw nothingHere();
    return oneAtATime(async () => ({ request_count: await removeDemoAccounts(app.store, { caller }) }));
  },
};
