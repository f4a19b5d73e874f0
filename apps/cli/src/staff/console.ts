import type { Command } from 'commander';
import { withExample } from '../example.ts';
import { nameMissing } from '../failure/name-missing.ts';
import { connect } from '../service/connect.ts';
import { fields } from '../terminal/table.ts';
import { linkFields, NO_CONSOLE, SHOWN_ONCE } from './link-fields.ts';

/** The person who signs in with the link of a start on this machine. */
const FIRST_PERSON = 'stf_00000000000000000000000000';

/** `iv console`: creates another link into the console, by default for the first person. */
export function addConsole(program: Command): void {
  withExample(program.command('console'), 'iv console')
    .description('make a link that signs a person in to the console once')
    .argument('[staff_id]', 'whom; the first person of this machine when left out')
    .action(async (staffId: string | undefined, _options: object, command: Command) => {
      const { client, terminal, url } = await connect(command);
      const staff_id = staffId ?? FIRST_PERSON;
      const linking = client.staff.link({ staff_id });
      const made = await nameMissing(`person ${staff_id} who may sign in`, 'iv staff list', linking);
      terminal.answer(made, fields(linkFields(url, made.link)));
      terminal.say(made.link ? SHOWN_ONCE : NO_CONSOLE);
    });
}
