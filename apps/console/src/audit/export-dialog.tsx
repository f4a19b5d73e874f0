import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api } from '../api/api.ts';
import { FormDialog } from '../look/dialog/form-dialog.tsx';
import { download } from '../look/download.ts';
import css from '../look/form/form.module.css';

/** The formats that the service writes. */
const FORMATS = {
  csv: { word: 'CSV, for a spreadsheet', ending: 'csv' },
  ndjson: { word: 'NDJSON, a line of JSON for each', ending: 'ndjson' },
} as const;
type Format = keyof typeof FORMATS;

/** The most lines that a page can hold in memory; `iv audit export` has no maximum. */
const LINE_COUNT_MAX = 10_000;

/** The most lines of one call. */
const PART_LINE_COUNT = 1_000;

interface ExportDialogProps {
  readonly filters: Omit<Exclude<Parameters<typeof api.audit.list.query>[0], void>, 'cursor' | 'limit'>;
  /** Called with a sentence about the result; null when the dialog was cancelled. */
  readonly onClose: (sentence: string | null) => void;
}

/** A dialog that exports the lines within the filters to a file. */
export function ExportDialog({ filters, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<Format>('csv');
  const [count, setCount] = useState(0);
  const leaving = useRef<AbortController>(null);
  useEffect(() => () => leaving.current?.abort(), []);
  const write = useMutation({
    mutationFn: async () => {
      leaving.current = new AbortController();
      const parts: string[] = [];
      let [lineCount, mediaType] = [0, ''];
      let cursor: string | undefined;
      do {
        const part = await api.audit.export.query(
          { ...filters, format, limit: PART_LINE_COUNT, cursor },
          { signal: leaving.current.signal },
        );
        parts.push(part.items.join(''));
        lineCount += part.items.length - (format === 'csv' && cursor === undefined ? 1 : 0);
        setCount(lineCount);
        mediaType = part.media_type;
        cursor = part.next_cursor ?? undefined;
      } while (cursor !== undefined && lineCount < LINE_COUNT_MAX);
      const name = `audit-${new Date().toISOString().slice(0, 10)}.${FORMATS[format].ending}`;
      download(name, mediaType, parts.join(''));
      const written = `${lineCount.toLocaleString('en-US')} ${lineCount === 1 ? 'line is' : 'lines are'} in ${name}.`;
      return cursor === undefined
        ? written
        : `${written} There are older ones: narrow the time, or use “iv audit export”.`;
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
        Every line that meets the filters, newest first, {LINE_COUNT_MAX.toLocaleString('en-US')} at most; of
        more than these <code>iv audit export</code> and <code>GET /audit/export</code> have all. That you
        read them is in the audit too.
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
