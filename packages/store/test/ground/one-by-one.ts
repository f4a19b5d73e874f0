import {
  type AcceptedOutput,
  acceptOutputs,
  type LocalWorker,
  type Store,
  type SubmittedOutput,
  type SubmittedWork,
  submitWorks,
  type WorkSubmission,
} from '../../src/index.ts';

/** Accepts a single output. */
export async function acceptOutput(store: Store, submitted: SubmittedOutput): Promise<AcceptedOutput> {
  const [accepted] = await acceptOutputs(store, [submitted]);
  if (!accepted) throw new Error('One output has one answer.');
  return accepted;
}

/** Submits a single verifier's findings. */
export async function submitWork(store: Store, submission: WorkSubmission): Promise<SubmittedWork> {
  const [submitted] = await submitWorks(store, [submission]);
  if (!submitted) throw new Error('One submission has one answer.');
  return submitted;
}

/** Accepts outputs together; each has its answer. */
export const acceptAll = async (
  store: Store,
  outputs: readonly SubmittedOutput[],
  localWorker?: LocalWorker,
): Promise<AcceptedOutput[]> => Promise.all(await acceptOutputs(store, outputs, localWorker));

/** Submits several verifiers' findings together; each has its answer. */
export const submitAll = async (
  store: Store,
  submissions: readonly WorkSubmission[],
): Promise<SubmittedWork[]> => Promise.all(await submitWorks(store, submissions));
