import { Argument, type Command } from 'commander';
import { withExample } from '../example.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { commandTree } from './command-tree.ts';
import { completionScript, type Shell, SHELLS } from './shell-scripts.ts';

/** `iv completion` */
export function addCompletion(program: Command): void {
  withExample(program.command('completion'), 'source <(iv completion bash)')
    .description('print what lets a shell complete commands and options: bash, zsh, fish')
    .addArgument(new Argument('<shell>', 'the shell that is to read it').choices(SHELLS))
    .addHelpText(
      'after',
      [
        '',
        'Once, in the file that the shell reads when it starts:',
        '  bash  source <(iv completion bash)       in ~/.bashrc',
        '  zsh   source <(iv completion zsh)        in ~/.zshrc, after compinit',
        '  fish  iv completion fish | source        in ~/.config/fish/config.fish',
        '',
        'It completes the name `iv`, an alias of that name too.',
      ].join('\n'),
    )
    .action((shell: Shell, _options: object, command: Command) => {
      const lines = completionScript(shell, commandTree(program));
      openTerminal(command).answer({ shell, script: lines.join('\n') }, lines);
    });
}
