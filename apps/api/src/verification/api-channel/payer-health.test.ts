import { expect, test } from 'vitest';
import { PayerHealth, type Shown } from './payer-health.ts';

const ANSWERED: Shown = { kind: 'answered' };
const SILENT: Shown = { kind: 'unanswered', isSent: true };
const REFUSED: Shown = { kind: 'unanswered', isSent: false };

// Breaks if a slow payer is given up, whose every third answer would have verified a patient.
test('a payer that answers one of three is asked slowly, and hardly ever judged to be down', () => {
  const health = new PayerHealth(20);
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  let downCount = 0;
  for (let nowMs = 0, count = 0; count < 20_000; nowMs += 1_000, count += 1) {
    const shown = random() < 1 / 3 ? ANSWERED : SILENT;
    health.note(shown, `req_${count}`, nowMs);
    if (health.isDown(nowMs)) downCount += 1;
  }
  // Twenty in a row fail now and then: the next probe shows that it answers.
  expect(downCount / 20_000).toBeLessThan(0.002);
  expect(health.placeCount).toBeGreaterThanOrEqual(1);
});

// Breaks if one patient's odd answer stops the night of all others.
test('one request that fails is its own fault where the payer answers others, and closes nothing', () => {
  const health = new PayerHealth(20);
  for (let nowMs = 0; nowMs < 3_600_000; nowMs += 30_000) {
    const isAnswered = nowMs % 300_000 === 0;
    if (isAnswered) health.note(ANSWERED, `req_${nowMs}`, nowMs);
    expect(health.note(SILENT, 'req_odd', nowMs + 1)).toBe(isAnswered);
    expect(health.isDown(nowMs + 1)).toBe(false);
  }
  expect(health.note(SILENT, 'req_other', 3_600_001)).toBe(false);
});

// Breaks if the one request of a quiet hour is called about since its payer has just gone down.
test('where the payer answers no one meanwhile, no failure is the request’s own, and a refusal never is', () => {
  const health = new PayerHealth(20);
  health.note(ANSWERED, 'req_0', 0);
  expect(health.note(SILENT, 'req_1', 1_000)).toBe(true); // it answered a second ago
  for (let nowMs = 6_000; nowMs < 600_000; nowMs += 30_000)
    expect(health.note(SILENT, 'req_1', nowMs)).toBe(false);
  health.note(ANSWERED, 'req_2', 600_000);
  expect(health.note(REFUSED, 'req_1', 600_001)).toBe(false);
});

// Breaks if a hundred requests are tried before the service sees that nothing listens there.
test('ten refusals in a row are enough, ten silences only when the last answer is twenty seconds old', () => {
  const [refusing, silent] = [new PayerHealth(20), new PayerHealth(20)];
  for (const one of [refusing, silent]) one.note(ANSWERED, 'req_0', 0);
  for (let count = 1; count <= 10; count += 1) {
    refusing.note(REFUSED, `req_${count}`, count);
    silent.note(SILENT, `req_${count}`, count);
  }
  expect(refusing.isDown(10)).toBe(true);
  expect(silent.isDown(10)).toBe(false);
  expect(silent.isDown(20_000)).toBe(true);
  expect(silent.failuresAt(20_001)).toEqual({ count: 10, seconds: 20 });
  silent.note(ANSWERED, 'req_1', 20_002);
  expect(silent.isDown(40_000)).toBe(false);
  expect(silent.failuresAt(40_000)).toBeNull();
});

// Breaks if a payer that has just come back is asked with everything at once.
test('failures halve the places once a second, and each answer gives one back', () => {
  const health = new PayerHealth(20);
  for (let nowMs = 0; nowMs < 1_000; nowMs += 10) health.note({ kind: 'slowed' }, 'req_1', nowMs);
  expect(health.placeCount).toBe(10);
  for (let nowMs = 1_000; nowMs < 10_000; nowMs += 1_000) health.note(REFUSED, 'req_1', nowMs);
  expect(health.placeCount).toBe(1);
  for (let count = 0; count < 30; count += 1) health.note(ANSWERED, 'req_1', 10_000);
  expect(health.placeCount).toBe(20);
});
