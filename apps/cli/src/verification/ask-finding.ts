import checkbox from '@inquirer/checkbox';
import confirm from '@inquirer/confirm';
import input from '@inquirer/input';
import select from '@inquirer/select';
import {
  date,
  ERROR_REASONS,
  FailureReason,
  type InsurancePlanData,
  type WorkItem,
} from '@insurance-verification/schema';

/** What a person found out, or that they did not. */
export type Finding =
  | {
      readonly kind: 'result';
      readonly insuranceData: InsurancePlanData[];
      readonly reference: string | null;
      readonly note: string | null;
    }
  | {
      readonly kind: 'fail';
      readonly errorReason: FailureReason;
      readonly reference: string | null;
      readonly note: string | null;
      readonly final: boolean;
    }
  | { readonly kind: 'release'; readonly reason: string | null };

/** Questions go to stderr: stdout is for the answer. */
interface Asking {
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** Asks field by field. Rejects with the signal, and when the person presses Ctrl-C. */
export async function askFinding(item: WorkItem, asking: Asking): Promise<Finding> {
  const kind = await select(
    {
      message: 'What came of it?',
      choices: [
        { name: 'The payer answered (Inactive is an answer)', value: 'result' as const },
        { name: 'This channel cannot find out', value: 'fail' as const },
        { name: 'Give it back untried', value: 'release' as const },
      ],
    },
    asking,
  );
  switch (kind) {
    case 'result':
      return askResult(item, asking);
    case 'fail':
      return askFailure(asking);
    case 'release':
      return { kind, reason: await askText('Why, for the next verifier', asking) };
  }
}

async function askResult(item: WorkItem, asking: Asking): Promise<Finding> {
  const insuranceData: InsurancePlanData[] = [];
  do insuranceData.push(await askEntry(item, asking));
  while (await confirm({ message: 'Another coverage?', default: false }, asking));
  const reference = await askText('Reference number of the call or inquiry', asking);
  const note = await askText('Note for colleagues (the provider does not see it)', asking);
  return { kind: 'result', insuranceData, reference, note };
}

async function askEntry({ request, channel }: WorkItem, asking: Asking): Promise<InsurancePlanData> {
  const { patient_info: patient, payer_info: payer, cpt_code_coverage: codes } = request.input;
  const status = await select(
    {
      message: 'Eligibility',
      choices: [
        { name: 'Active', value: 'Active' as const },
        { name: 'Inactive', value: 'Inactive' as const },
        { name: 'the payer did not say', value: null },
      ],
    },
    asking,
  );
  const plan = await askText('Plan name', asking);
  const start = await askDate('First day of coverage', asking);
  const end = await askDate('Last day of coverage', asking);
  const covered =
    codes && codes.length > 0
      ? await checkbox(
          { message: 'Codes that are covered', choices: codes.map((code) => ({ name: code, value: code })) },
          asking,
        )
      : null;
  const subscriberId = await input(
    { message: 'Member id as the payer has it', default: patient.subscriber_id, required: true },
    asking,
  );
  const dob = await input(
    {
      message: 'Date of birth as the payer has it',
      ...(patient.dob !== undefined && { default: patient.dob }),
    },
    asking,
  );
  const notes = await askText('What else the payer said (the provider sees it)', asking);
  return {
    person_uuid: crypto.randomUUID(),
    verification_time: new Date().toISOString(),
    verification_source: channel,
    notes,
    patient_info: { ...patient, subscriber_id: subscriberId, ...(dob !== '' && { dob }) },
    plan_info: {
      payer_name: payer.name,
      plan_name: plan,
      eligibility_status: status,
      start_date: start,
      end_date: end,
      cpt_code_coverage: covered,
    },
  };
}

async function askFailure(asking: Asking): Promise<Finding> {
  const errorReason = await select(
    {
      message: 'Why?',
      choices: FailureReason.options.map((slug) => ({
        name: slug,
        value: slug,
        description: ERROR_REASONS[slug].sentence,
      })),
    },
    asking,
  );
  const reference = await askText('Reference number of the call or inquiry', asking);
  const note = await askText('Note for the next verifier', asking);
  const final = await confirm(
    { message: 'Is it certain that no other channel can find out either?', default: false },
    asking,
  );
  return { kind: 'fail', errorReason, reference, note, final };
}

async function askText(message: string, asking: Asking): Promise<string | null> {
  return (await input({ message: `${message} (empty: none)` }, asking)).trim() || null;
}

async function askDate(message: string, asking: Asking): Promise<string | null> {
  const text = await input(
    {
      message: `${message}, YYYY-MM-DD (empty: not told)`,
      validate: (typed) =>
        typed === '' || (/^\d{4}-\d{2}-\d{2}$/.test(typed) && date().safeParse(typed).success)
          ? true
          : 'Expected a day as 2026-01-31, or nothing.',
    },
    asking,
  );
  return text || null;
}
