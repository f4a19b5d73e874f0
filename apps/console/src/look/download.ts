/** Lets the browser keep a text as a file. */
export function download(name: string, type: 'text/csv' | 'application/x-ndjson', text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
