import { measureCpu } from './measure-cpu.ts';
import { repositoryFiles, textOf } from './pages.ts';
import { countLegalWords, textsByRoom } from './plain-words.ts';

// Prints how fine the house is, and how its texts read: `npx -y pnpm@12 measure`. With `--cpu` it runs the suite instead,
// or the command that follows, and prints what its processes took.
const [option, ...words] = process.argv.slice(2);
if (option === '--cpu') process.exit(await measureCpu(words.join(' ') || 'npx -y pnpm@12 test'));

const isSource = (file: string) =>
  /^(?:(?:apps|packages)\/[\w-]+\/src|packages\/store\/schema)\/.*\.(?:ts|tsx|sql|css)$/.test(file) &&
  !/\.test(?:-d)?\.tsx?$|\.fixture\.ts$/.test(file);
const isTest = (file: string) =>
  /\.test(?:-d)?\.tsx?$/.test(file) || /^(?:apps|packages)\/[\w-]+\/test\//.test(file);
const linesOf = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);

const sources = repositoryFiles.filter(isSource);
const tests = repositoryFiles.filter((file) => isTest(file) && /\.tsx?$/.test(file));
const sourceLines = linesOf(sources);

const print = (cells: readonly (string | number)[]) =>
  void process.stdout.write(
    `${cells
      .map((cell) => String(cell).padEnd(30))
      .join('')
      .trimEnd()}\n`,
  );

print(['', 'files', 'lines', 'files in 1,000 lines']);
print(['source', sources.length, sourceLines, ((1_000 * sources.length) / sourceLines).toFixed(1)]);
print(['tests', tests.length, linesOf(tests)]);
print([]);
print(['', 'words', 'of a law', 'in 1,000']);
for (const [room, text] of Object.entries(textsByRoom())) {
  const { wordCount, count, perThousand } = countLegalWords(text);
  print([room, wordCount, count, perThousand]);
}
