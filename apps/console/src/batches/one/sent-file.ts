import { skipToken, useQuery } from '@tanstack/react-query';

/** A file that was sent as a batch from this page. */
interface SentFile {
  readonly file: File;
  /** Whether the same file was sent before with the same settings. */
  readonly wasThere: boolean;
}

/** Where a sent file is kept: for ten minutes after its page was left, and until the person signs out. */
export const sentFileKey = (batchId: string) => ['sent file', batchId];

/** The file of a batch that this browser has sent just now; undefined for any other. */
export const useSentFile = (batchId: string) =>
  useQuery<SentFile>({ queryKey: sentFileKey(batchId), queryFn: skipToken }).data;
