import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aFolder } from '@insurance-verification/testing/a-folder';
import { DEFAULT_RETRY_SCHEDULE_TEXT } from '@insurance-verification/webhook';
import { expect, test } from 'vitest';
import { envExample } from '../../scripts/env-example.ts';
import { readConfig } from '../../src/config/config.ts';
import { CONFIG_VARIABLES } from '../../src/config/environment.ts';
import { deployText } from '../deploy/deploy-files.ts';

test('.env.example is what the table of the configuration makes: npx -y pnpm@12 env-example', () => {
  expect(deployText('.env.example')).toBe(envExample());
});

// Breaks if the file describes a default in words although it has a value, or gives another value than the code.
test('its variables are those of the configuration, and its values the defaults', () => {
  const given = [...deployText('.env.example').matchAll(/^#([A-Z0-9_]+)=(.*)$/gm)];
  expect(given.map(([, name]) => name).toSorted()).toEqual(CONFIG_VARIABLES.toSorted());
  const environment = Object.fromEntries(given.map(([, name = '', value = '']) => [name, value]));
  const values = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  expect(Object.keys(values).length).toBeGreaterThan(8);
  expect(JSON.stringify(readConfig(values))).toBe(JSON.stringify(readConfig({})));
});

test('uncommented, Node reads it unchanged', () => {
  const file = join(aFolder(), 'env');
  writeFileSync(file, deployText('.env.example').replaceAll(/^#(?=[A-Z0-9_]+=)/gm, ''));
  const print = 'process.stdout.write(JSON.stringify(process.env))';
  const text = execFileSync(process.execPath, [`--env-file=${file}`, '-e', print], {
    env: {},
    encoding: 'utf8',
  });
  expect(JSON.parse(text)).toMatchObject({
    PORT: '3000',
    WEBHOOK_RETRY_SCHEDULE: DEFAULT_RETRY_SCHEDULE_TEXT,
  });
});
