import { expect, test } from 'vitest';
import { useService } from '../a-service.ts';
import { consoleTransport } from '../transports.ts';
import { aSession, BEHIND_A_PROXY } from './a-session.ts';

const service = useService({ env: { ...BEHIND_A_PROXY, ROLES: 'http' } });

const DEFAULTS = { zone: null, density: 'standard', letter_keys: true };

async function aPerson() {
  const session = await aSession(service, { roles: ['viewer'] });
  return {
    get: async () =>
      consoleTransport.output<unknown>(
        await consoleTransport.call(service, 'settings.get', {}, session.asked),
      ),
    set: (changes: object) => consoleTransport.call(service, 'settings.set', { ...changes }, session.asked),
  };
}

// Two tabs that each change one thing must not undo each other.
test('what is changed stays, what is not named as it was, and others have their own', async () => {
  const [person, other] = [await aPerson(), await aPerson()];
  expect(await person.get()).toEqual(DEFAULTS);
  await person.set({ zone: 'America/Chicago' });
  const set = await person.set({ density: 'compact' });
  const settings = {
    zone: 'America/Chicago',
    density: 'compact',
    letter_keys: true,
  };
  expect(consoleTransport.output(set)).toEqual(settings);
  expect(await person.get()).toEqual(settings);
  expect(await other.get()).toEqual(DEFAULTS);
  await person.set({ zone: null, letter_keys: false });
  expect(await person.get()).toEqual({ ...DEFAULTS, density: 'compact', letter_keys: false });
});

test.each([
  [{ keys: { next: 'w' } }, ['keys'], 'Extra inputs are not permitted'],
  [{ zone: 'Mars/Olympus' }, ['zone'], 'Input should be an IANA time zone, for example America/New_York'],
  [{ density: 'dense' }, ['density'], "Input should be 'compact', 'standard' or 'roomy'"],
] as const)('%j is refused at its field', async (changes, loc, msg) => {
  const person = await aPerson();
  const { status, json } = await person.set(changes);
  const { detail } = (json as { error: { data: { detail: { loc: string[]; msg: string }[] } } }).error.data;
  expect([status, detail[0]?.loc, detail[0]?.msg]).toEqual([422, ['body', ...loc], msg]);
  expect(await person.get()).toEqual(DEFAULTS);
});
