import { expect, onTestFinished, test, vi } from 'vitest';
import { patientMeasure } from './patient-measure.ts';

const away = () => Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

function aMeasure(answers: readonly (number | Error)[]) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let callCount = 0;
  const measure = patientMeasure(async () => {
    const answer = answers[callCount] ?? 0;
    callCount += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { measure, callCount: () => callCount };
}

// Broke: a measure that failed was tried by every scrape of every process, each waiting for its time-out.
test('a failed measure is not called for twice as long after each failure, and answers again when it can', async () => {
  const { measure, callCount } = aMeasure([away(), away(), 7, away(), 8]);
  expect(await measure()).toBeNull();
  expect([await measure(), callCount()]).toEqual([null, 1]);
  vi.advanceTimersByTime(1_000);
  expect([await measure(), callCount()]).toEqual([null, 2]);
  vi.advanceTimersByTime(1_999);
  expect([await measure(), callCount()]).toEqual([null, 2]);
  vi.advanceTimersByTime(1);
  expect(await measure()).toBe(7);
  expect(await measure()).toBeNull();
  vi.advanceTimersByTime(1_000);
  expect([await measure(), callCount()]).toEqual([8, 5]);
});

// Without it a fault of the service would look like a database that is away.
test('any other error is thrown, and the measure is paused as well', async () => {
  const { measure, callCount } = aMeasure([new TypeError('a fault')]);
  await expect(measure()).rejects.toThrow('a fault');
  expect([await measure(), callCount()]).toEqual([null, 1]);
});
