import {
  acceptOutputs,
  type LocalWorker,
  isDatabaseUnavailable,
  type Store,
  type SubmittedOutput,
  submitWorks,
  type WorkSubmission,
} from '@insurance-verification/store';
import type { ResultWriter } from '../procedure/context/app.ts';
import { groupCommit } from '../queue/group-commit.ts';

/** Bytes above which a result is written alone: 64 of the longest in one statement would be half a gigabyte. */
const SHARED_BYTES_MAX = 65_536;

/**
 * Results that arrive together share a statement, and a burst waits for the next statement, not for connections. While the
 * database is away, queued results would wait in vain as long: all fail at once, within 2 seconds.
 * @param localWorker this process's delivery worker, which takes over deliveries that it has a slot for.
 */
export function createResultWriter(store: Store, localWorker?: LocalWorker): ResultWriter {
  const failsAll = isDatabaseUnavailable;
  const acceptSome = (outputs: readonly SubmittedOutput[]) => acceptOutputs(store, outputs, localWorker);
  const submitSome = (submissions: readonly WorkSubmission[]) => submitWorks(store, submissions, localWorker);
  const acceptTogether = groupCommit({ commit: acceptSome, failsAll });
  const submitTogether = groupCommit({ commit: submitSome, failsAll });
  return {
    acceptOutput: (submitted) => {
      const { output, trusted, bearer } = submitted;
      // What has to be held or compared first is decided alone, and need not wait for a statement.
      const mayShare =
        trusted && !bearer && output.request.state !== 'pending' && isShort(output.insurance_data);
      return mayShare ? acceptTogether(submitted) : only(acceptSome([submitted]));
    },
    submitWork: (submission) => {
      const { insuranceData, exchange } = submission;
      const mayShare = isShort(insuranceData) && (exchange?.answer?.length ?? 0) <= SHARED_BYTES_MAX;
      return mayShare ? submitTogether(submission) : only(submitSome([submission]));
    },
  };
}

function isShort(insuranceData: unknown): boolean {
  return JSON.stringify(insuranceData).length <= SHARED_BYTES_MAX;
}

async function only<Answer>(answers: Promise<readonly Promise<Answer>[]>): Promise<Answer> {
  const [answer] = await answers;
  if (!answer) throw new Error('One item has one answer.');
  return answer;
}
