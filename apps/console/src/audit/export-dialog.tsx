import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, type Outputs } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { download } from '../look/download.ts';
import css from '../look/form/form.module.css';
import { toCsv } from '../look/table/to-csv.ts';

type Line = Outputs['audit']['list']['items'][number];

const FORMATS = {
  csv: {
    word: 'CSV, for a spreadsheet',
    type: 'text/csv',
    write: (lines: readonly Line[]) =>
      toCsv(
        COLUMNS,
        lines.map((line) => COLUMNS.map((name) => line[name])),
      ),
  },
  ndjson: {
    word: 'NDJSON, a line of JSON for each',
    type: 'application/x-ndjson',
    write: (lines: readonly Line[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  },
} as const;
type Format = keyof typeof FORMATS;

const COLUMNS = [
  'audit_id',
  'at',
  'key_id',
  'account_id',
  'operation',
  'request_id',
  'subject_id',
  'emergency',
  'reason',
] as const satisfies readonly (keyof Line)[];

/** More would hold the page; `iv audit` has no end. */
const LINE_COUNT_MAX = 10_000;

interface ExportDialogProps {
  readonly filters: Omit<Parameters<typeof api.audit.list.query>[0], 'cursor' | 'limit'>;
  /** Takes what came of it, in a sentence; null when it was left. */
  readonly onClose: (told: string | null) => void;
}

/** Writes every line that meets the filters into a file. */
export function ExportDialog({ filters, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<Format>('csv');
  const [count, setCount] = useState(0);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const write = useMutation({
    mutationFn: async () => {
      leaving.current = new AbortController();
      const lines: Line[] = [];
      let cursor: string | undefined;
      do {
        const page = await api.audit.list.query(
          { ...filters, limit: 100, cursor },
          { signal: leaving.current.signal },
        );
        lines.push(...page.items);
        setCount(lines.length);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined && lines.length < LINE_COUNT_MAX);
      const name = `audit-${new Date().toISOString().slice(0, 10)}.${format}`;
      download(name, FORMATS[format].type, FORMATS[format].write(lines));
      const written = `${lines.length.toLocaleString('en-US')} ${lines.length === 1 ? 'line is' : 'lines are'} in ${name}.`;
      return cursor === undefined
        ? written
        : `${written} There are older ones: narrow the time, or use “iv audit --all”.`;
    },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      title="Export the audit"
      act="Write the file"
      doing={write}
      onSubmit={() => write.mutate()}
      onClose={() => onClose(null)}
    >
      <p>
        Every line that meets the filters, newest first, {LINE_COUNT_MAX.toLocaleString('en-US')} at most.
        That you read them is in the audit too.
      </p>
      <fieldset className={css.choices}>
        <legend>Format</legend>
        {(Object.keys(FORMATS) as Format[]).map((one) => (
          <label key={one}>
            <input type="radio" name="format" checked={format === one} onChange={() => setFormat(one)} />
            {FORMATS[one].word}
          </label>
        ))}
      </fieldset>
      <p role="status">{write.isPending && `${count.toLocaleString('en-US')} lines read …`}</p>
    </FormDialog>
  );
}
