import { expect, test } from 'vitest';
import { doubtAt } from './doubts.ts';

// Broke: NPI 12 and http://10.0.0.1/x were sent without a word, and no result ever came.
test.each([
  ['provider_info.npi', '1234567893', null],
  ['provider_info.npi', '12', '12 is no NPI: ten digits, and its last one is a check digit.'],
  ['provider_info.npi', '1234567894', '1234567894 is no NPI: ten digits, and its last one is a check digit.'],
  ['provider_info.npi', ' ', null],
  ['patient_info.name', '12', null],
])('%s %j: %j', (path, typed, doubt) => {
  expect(doubtAt(path, typed)).toBe(doubt);
});

test.each([
  ['https://clinic.example/verified', null],
  ['https://8.8.8.8/', null],
  ['https://172.32.0.1/', null],
  ['https://[2606:4700::1]/', null],
  ['no address', null],
  ['http://clinic.example/', /^Write https/],
  ['http://10.0.0.1/x', /private/],
  ['https://192.168.1.2/', /private/],
  ['https://172.31.255.255/', /private/],
  ['https://0xa9fea9fe/', /private/],
  ['https://[fd00::1]/', /private/],
  ['https://127.1/', /own machine/],
  ['https://localhost:9/', /own machine/],
  ['https://[::1]/', /own machine/],
  ['https://clinic.example:0/', /port 0/],
])('the callback address %s', (address, doubt) => {
  const found = doubtAt('callback_url', address);
  expect(found).toEqual(doubt === null ? null : expect.stringMatching(doubt));
});
