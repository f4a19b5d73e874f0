import { scriptlessPolicy } from '../pages/scriptless-policy.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
h1 { line-height: 1.2; }
code { font-family: ui-monospace, monospace; }
dt { font-weight: 600; margin-top: 0.5rem; }
dd { margin: 0; }
`;

export const PAGE_POLICY = scriptlessPolicy(STYLE);

/** @param body HTML, its text escaped with {@link escapeText}. */
export function renderPage(title: string, body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
${body.join('\n')}
</body>
</html>
`;
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
