import type { Schemas } from '@insurance-verification/schema';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { failureOf } from '../../api/failure.ts';
import { serverNow } from '../../api/server-time.ts';
import { Button } from '../../look/button.tsx';
import { FailureNotice } from '../../look/notice.tsx';
import { useZone } from '../../look/time.tsx';
import { NO_TIME, readDays } from '../../requests/new/form-values.ts';
import { sentFileKey } from '../one/sent-file.ts';
import css from './batch-form.module.css';
import { ColumnsPart, FileChooser } from './file-part.tsx';
import { judgeFile } from './judge-file.ts';
import { type ReadFile, readFile } from './read-file.ts';
import { RowsPart } from './rows-part.tsx';
import { type BatchSettings, sendFile } from './send-file.ts';
import { isOfField, type Typed, SettingsPart } from './settings-part.tsx';

/** A file that the person chose; the id is for the cache, whose keys hold no patient's data. */
interface Chosen {
  readonly id: string;
  readonly file: File;
}

const NOTHING: Typed = { mode: 'accept_valid', label: '', callbackUrl: '', when: NO_TIME };

/** The file, what is said of all its rows, what is found in it, and the button that sends it. */
export function BatchForm({ schemas }: { readonly schemas: Schemas }) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [typed, setTyped] = useState(NOTHING);
  const { zone } = useZone();
  const { settings, faults } = settingsOf(typed, zone);
  const { read, judged } = useFile(chosen, schemas, settings);
  const send = useSend(chosen, settings);
  const file = read.data;
  const hasRight = judged.data !== undefined && judged.data.rejectedCount < (file?.rows.length ?? 0);
  const isReady = file?.fault === null && hasRight && faults.length === 0;
  const refusal = send.error === null ? null : failureOf(send.error);
  // Where the connection broke, a browser may send again by itself while the service still stores what has come.
  const isCutOff = refusal?.kind === 'offline' || refusal?.code === 'idempotency_in_progress';
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !send.isPending) send.mutate(file.format);
      }}
    >
      <FileChooser
        onChoose={(one) => {
          setChosen({ id: crypto.randomUUID(), file: one });
          send.reset();
        }}
      />
      {chosen && <ColumnsPart file={chosen.file} read={file} />}
      <SettingsPart
        typed={typed}
        onChange={(next) => {
          setTyped(next);
          if (send.isError) send.reset(); // its faults are of what was typed before
        }}
        faults={[...faults, ...(refusal?.faults ?? [])]}
      />
      {file?.fault === null && (
        <RowsPart rowCount={file.rows.length} judged={judged.data} mode={typed.mode} />
      )}
      {send.error !== null && !refusal?.faults.some(isOfField) && <FailureNotice error={send.error} />}
      <div className={css.send}>
        <Button type="submit" kind="primary" disabled={!isReady || send.isPending}>
          {isReady ? `Send ${rowsInWords(file.rows.length)}` : 'Send the file'}
        </Button>
        <p role="status" className={css.hint}>
          {send.isPending && 'Sending the file. Keep this page open until it has arrived.'}
          {isCutOff && 'Send it again: it continues where it stopped.'}
        </p>
      </div>
    </form>
  );
}

const rowsInWords = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'}`;

/** What is typed as the headers of a batch, and the days that cannot be read. */
function settingsOf({ mode, label, callbackUrl, when }: Typed, zone: string) {
  const { headers, faults } = readDays({ fields: [], values: {}, when, zone, today: new Date() });
  const said: readonly (readonly [keyof BatchSettings, string])[] = [
    ['label', label.trim()],
    ['callbackUrl', callbackUrl.trim()],
  ];
  const texts = Object.fromEntries(said.filter(([, text]) => text !== ''));
  const settings: BatchSettings = { mode, ...texts, ...headers };
  return { settings, faults };
}

/** Nothing of a file is read again by itself, and nothing of it stays longer than the page. */
const OF_THIS_PAGE = {
  networkMode: 'always',
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
  structuralSharing: false, // it would compare 100,000 rows one by one
} as const;

/** Reads the chosen file, and judges its rows with what is said of all of them. */
function useFile(chosen: Chosen | null, schemas: Schemas, settings: BatchSettings) {
  const read = useQuery({
    ...OF_THIS_PAGE,
    queryKey: ['read file', chosen?.id],
    queryFn: ({ signal }) => (chosen ? readFile(chosen.file, signal) : null),
    enabled: chosen !== null,
  });
  const { callbackUrl, serviceDate, neededBy } = settings;
  const file = read.data?.fault === null ? read.data : null;
  const judged = useQuery({
    ...OF_THIS_PAGE,
    queryKey: ['judged file', chosen?.id, callbackUrl, serviceDate, neededBy],
    queryFn: ({ signal }) =>
      file === null
        ? null
        : judgeFile(
            file,
            { schemas, defaults: { callbackUrl, serviceDate, neededBy }, now: new Date(serverNow()) },
            signal,
          ),
    enabled: file !== null,
  });
  return {
    read: { data: read.data ?? undefined },
    judged: { data: judged.data ?? undefined },
  };
}

function useSend(chosen: Chosen | null, settings: BatchSettings) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: async (format: ReadFile['format']) => {
      if (!chosen) throw new Error('No file is chosen.');
      return { ...(await sendFile(chosen.file, format, settings)), file: chosen.file };
    },
    onSuccess: ({ batch: { batch_id: id }, wasThere, file }) => {
      queries.setQueryData(sentFileKey(id), { file, wasThere });
      void queries.invalidateQueries({ queryKey: ['batches.list'] });
      go(`/batches/${id}`, { replace: true });
    },
  });
  const isUnsent = chosen !== null && !send.isSuccess;
  useEffect(() => {
    if (!isUnsent) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsent]);
  return send;
}
