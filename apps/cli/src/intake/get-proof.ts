import type { VerificationProof } from '@insurance-verification/schema';
import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { type Block, fields, table } from '../terminal/table.ts';
import { coverageLines } from './coverage-lines.ts';

/** `iv requests proof` */
export function addGetProof(requests: Command): void {
  withExample(requests.command('proof'), 'iv requests proof req_…')
    .description('show what proves a verification: who was asked when, what was answered, digest and seal')
    .argument('<request_id>', 'the id the service issued')
    .action(async (requestId: string, _options: object, command: Command) => {
      const { client, terminal } = await connect(command);
      const call = client.requests.proof({ request_id: requestId });
      const proof = await nameMissing(`request ${requestId}`, 'iv requests list', call);
      terminal.answer(proof, lines(proof));
      if (!terminal.json && proof.result === null)
        terminal.say('Without the patient: this key looks after requests of others.');
    });
}

function lines(proof: VerificationProof): Block[] {
  const { attempt, benefits, coverages, delivery, provider_info: provider, result, seal, versions } = proof;
  const patient = result?.request.input.patient_info;
  return [
    ...fields([
      ['patient', patient?.name],
      ['born', patient?.dob],
      ['member_id', patient?.subscriber_id],
      ['payer', proof.payer],
      ['day', proof.service_date],
      ['procedures', proof.cpt_code_coverage.join(', ')],
      ['provider', provider.name],
      ['npi', provider.npi],
      ['asked', proof.received_timestamp],
      ['asked_by', proof.account_name],
      ['error_reason', proof.error_reason],
    ]),
    ...coverages.flatMap(({ plan_info: plan, verification_source, verification_time }, entry): Block[] => {
      const said = benefits?.coverages.find((one) => one.entry === entry);
      return [
        '',
        ...fields([
          ['status', plan.eligibility_status],
          ['plan', plan.plan_name],
          ['from', plan.start_date],
          ['to', plan.end_date],
          ['covered', plan.cpt_code_coverage?.join(', ')],
          ['notes', result?.insurance_data[entry]?.notes],
          ['channel', verification_source],
          ['answered', verification_time],
        ]),
        ...(said && said.benefits.length > 0 ? coverageLines(said) : []),
      ];
    }),
    '',
    ...fields([
      ['channel', attempt?.channel],
      ['begun', attempt?.started_at],
      ['ended', attempt?.ended_at],
      ['reference', attempt?.reference],
      ['verified_by', versions.at(-1)?.applied_by_name ?? versions.at(-1)?.applied_by],
    ]),
    ...table(
      ['FIELD', 'SOURCE', 'WORDS'],
      (attempt?.provenance ?? []).map(({ field, source, quote }) => [field, source, quote]),
    ),
    '',
    ...fields([
      ['request', proof.request_id],
      ['results', versions.map(({ version, applied_at }) => `${version} at ${applied_at}`).join(', ')],
      ['result', proof.version],
      ['delivery', `${delivery.delivery_id}, ${delivery.status}`],
      ['taken', delivery.accepted_at],
      ['http', delivery.status_code],
      ['sha256', proof.digest],
      ['seal', sealText(seal)],
    ]),
  ];
}

function sealText(seal: VerificationProof['seal']): string {
  if (seal === null) return 'the entry was archived with its month';
  return seal.seal === null ? 'not sealed yet' : `${seal.seal} at ${seal.sealed_at}`;
}
