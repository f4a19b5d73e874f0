type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The words that started this program, so that a hint can be typed as shown: where `iv` is a script of the workspace,
 * the shell has no `iv`.
 */
function startWords(environment: Environment): string {
  const {
    npm_lifecycle_event: script,
    npm_package_name: workspace,
    npm_execpath: manager = '',
  } = environment;
  if (workspace !== 'insurance-verification' || (script !== 'iv' && script !== 'demo')) return 'iv';
  return manager.includes('pnpm') && !manager.includes('_npx') ? 'pnpm iv' : 'npx -y pnpm@12 iv';
}

/** The message, its commands beginning with the words that started this program. */
export function asTyped(message: string, environment: Environment = process.env): string {
  const words = startWords(environment);
  return words === 'iv' ? message : message.replaceAll(/(?<=^|[\s`'"])iv(?= [a-z-])/gm, words);
}

/** The words typed after the program's name, quoted for a shell, without the given option and its value. */
export function typedWithout(option: string, args: readonly string[] = process.argv.slice(2)): string {
  const kept = args.filter(
    (arg, index) => arg !== option && !arg.startsWith(`${option}=`) && args[index - 1] !== option,
  );
  return ['iv', ...kept.map(shellWord)].join(' ');
}

function shellWord(text: string): string {
  return /^[\w:/.@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
