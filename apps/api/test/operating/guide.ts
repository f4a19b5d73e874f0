import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The code below `<!-- name -->` on a page of the documentation: commands or settings. */
export function commandsOf(page: string, name: string): string {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const [, commands] =
    new RegExp(`^<!-- ${name} -->\\n+\`\`\`[a-z]+\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text) ?? [];
  if (commands === undefined) throw new Error(`${page} shows no commands named ${name}.`);
  return commands;
}

export interface RunAs {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

/** Runs a page's commands verbatim. @throws with their output, when one fails. */
export function runAsShown(commands: string, { cwd, env, uid, gid }: RunAs): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-eu', '-c', commands], {
    cwd,
    env,
    encoding: 'utf8',
    ...(uid !== undefined && { uid }),
    ...(gid !== undefined && { gid }),
  });
  if (status !== 0) throw new Error(`${commands}\nended with ${status}:\n${stderr}`);
  return stdout;
}
