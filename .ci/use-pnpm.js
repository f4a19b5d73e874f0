// Before what people type: it was typed after another package manager, or a pnpm that cannot read this workspace. Its own
// failure would be a stack, or a tool that is not found. A script of its own: the shell that has once looked for `node`
// would not see the one that the next step installs.
const { npm_config_user_agent: agent = '', npm_lifecycle_event: event = '' } = process.env;
const [, name, major] = /^([\w-]+)\/(\d+)/.exec(agent) ?? [];

if (name !== undefined && (name !== 'pnpm' || Number(major) < 12)) {
  const typed = event === 'pnpm:devPreinstall' ? 'install' : event.replace(/^pre/, '');
  process.stderr.write(`Use \`npx -y pnpm@12 ${typed}\`.\n`);
  process.exitCode = 1;
}
