import { readFileSync } from 'node:fs';

const configuration = new URL('../../../apps/docs/configuration.md', import.meta.url);

const HEAD = `# Every variable of the service, at its default. Made from apps/docs/configuration.md by
# \`npx -y pnpm@12 env-example\`; change it there. An empty variable counts as absent, but for lists.
# For \`node --env-file\`, \`podman run --env-file\` and systemd's EnvironmentFile= alike: values without quotes.
`;

/** A variable, its default in parentheses, and its meaning. */
const ITEM = /^- `([A-Z][A-Z0-9_]+)`(?: \(((?:(?!\n- )[^])*?)\))?: ((?:(?!\n- |\n\n)[^])*)/gm;

/** The variables listed on the configuration page, as commented-out lines of an env file. */
export function envExample(page = readFileSync(configuration, 'utf8')): string {
  const rows = [...page.matchAll(ITEM)].map(([, name = '', byDefault = '', meaning = '']) => ({
    name,
    byDefault: plain(byDefault),
    meaning: plain(meaning),
  }));
  const names = new Set(rows.map(({ name }) => name));
  const isValue = (text: string) => /^\S+$/.test(text) && text !== 'none' && !names.has(text);
  const blocks = rows.map(({ name, byDefault, meaning }) => {
    const shown = byDefault === '' || isValue(byDefault) ? meaning : `${meaning}; default: ${byDefault}`;
    return `${wrapped(shown)}#${name}=${isValue(byDefault) ? byDefault : ''}\n`;
  });
  return `${HEAD}\n${blocks.join('\n')}`;
}

/** Strips the Markdown. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .trim();
}

/** Comment lines of 110 characters at most. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (`# ${last} ${word}`.length > 110) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines.map((line) => `# ${line}\n`).join('');
}
