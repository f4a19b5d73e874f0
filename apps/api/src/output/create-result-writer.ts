import {
  acceptOutputs,
  acceptOutput,
  type Courier,
  isDatabaseUnavailable,
  type Store,
  submitWork,
  submitWorks,
} from '@insurance-verification/store';
import type { ResultWriter } from '../procedure/context/app/result-writer.ts';
import { groupCommit } from '../queue/group-commit.ts';

/** Bytes above which a result is written alone: 64 of the longest in one statement would be half a gigabyte. */
const SHARED_BYTES_MAX = 65_536;

/**
 * Results that arrive together share a statement, and a burst waits for the next statement, not for connections. A
 * result that would have to be held, or was not applied with the others, is decided alone. While the database is away,
 * queued results would wait in vain as long: all fail at once, within 2 seconds.
 * @param courier this process's delivery worker, which takes over deliveries that it has a place for.
 */
export function createResultWriter(store: Store, courier?: Courier): ResultWriter {
  const failsAll = isDatabaseUnavailable;
  const acceptTogether = groupCommit({
    commit: (outputs: Parameters<typeof acceptOutputs>[1]) => acceptOutputs(store, outputs, courier),
    failsAll,
  });
  const submitTogether = groupCommit({
    commit: (submissions: Parameters<typeof submitWorks>[1]) => submitWorks(store, submissions, courier),
    failsAll,
  });
  /** A transaction hands no delivery over: the worker is woken to claim it. */
  const wakeIfApplied = <Answer extends { readonly kind: string }>(answer: Answer): Answer => {
    if (answer.kind === 'applied') courier?.wake();
    return answer;
  };
  return {
    acceptOutput: async (submitted) => {
      const { output, trusted, bearer } = submitted;
      const isCommon = trusted && !bearer && output.request.state !== 'pending';
      const mayShare = isCommon && isShort(output.insurance_data);
      const accepted = mayShare ? await acceptTogether(submitted) : null;
      return accepted ?? wakeIfApplied(await acceptOutput(store, submitted));
    },
    submitWork: async (submission) => {
      const { insuranceData, exchange } = submission;
      const mayShare = isShort(insuranceData) && (exchange?.answer?.length ?? 0) <= SHARED_BYTES_MAX;
      const handedIn = mayShare ? await submitTogether(submission) : null;
      return handedIn ?? wakeIfApplied(await submitWork(store, submission));
    },
  };
}

function isShort(insuranceData: unknown): boolean {
  return JSON.stringify(insuranceData).length <= SHARED_BYTES_MAX;
}
