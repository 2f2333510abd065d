import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { assertProperty } from '../../../../test/support/properties/assert-property.ts';
import { backoffMs, type RetryOptions, retry, sleepUnlessAborted } from './retry.ts';

const failure = (count: number) => new Error(`failure ${count}`);

/** Fails the given number of times, then returns the number of calls. */
function failing(times: number): () => Promise<number> {
  let calls = 0;
  return async () => {
    calls += 1;
    if (calls <= times) throw failure(calls);
    return calls;
  };
}

function recordingOptions(changes: Partial<RetryOptions> = {}) {
  const pauses: number[] = [];
  const options: RetryOptions = {
    firstMs: 100,
    random: () => 1,
    shouldRetry: () => true,
    sleep: async (ms) => {
      pauses.push(ms);
    },
    ...changes,
  };
  return { options, pauses };
}

test('the pause doubles with each failure up to the maximum', () => {
  const pause = (failures: number) =>
    backoffMs({ firstMs: 100, maxMs: 1_000, random: () => 1 }, failures);
  expect([0, 1, 2, 3, 4, 5, 10_000].map(pause)).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000]);
});

test('the maximum is 30 seconds unless given', () => {
  expect(backoffMs({ firstMs: 500, random: () => 1 }, 20)).toBe(30_000);
});

test('property: the pause is between half of the bound and the bound', () => {
  const input = fc.record({
    firstMs: fc.integer({ min: 1, max: 1_000 }),
    maxMs: fc.integer({ min: 1, max: 60_000 }),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    failures: fc.nat(2_000),
  });
  assertProperty(
    fc.property(input, ({ firstMs, maxMs, random, failures }) => {
      const pause = backoffMs({ firstMs, maxMs, random: () => random }, failures);
      const bound = Math.min(maxMs, firstMs * 2 ** failures);
      expect(pause).toBeGreaterThanOrEqual(bound / 2);
      expect(pause).toBeLessThanOrEqual(bound);
    }),
    100,
  );
});

test('retry returns the first success and pauses longer after each failure', async () => {
  const { options, pauses } = recordingOptions();
  expect(await retry(failing(3), options)).toBe(4);
  expect(pauses).toEqual([100, 200, 400]);
});

test('retry does not pause when the first attempt succeeds', async () => {
  const { options, pauses } = recordingOptions();
  expect(await retry(failing(0), options)).toBe(1);
  expect(pauses).toEqual([]);
});

test('retry throws the first error that is not to be retried', async () => {
  const shouldRetry = vi.fn((_: unknown, failures: number) => failures < 3);
  const { options, pauses } = recordingOptions({ shouldRetry });
  await expect(retry(failing(9), options)).rejects.toThrow('failure 3');
  expect(pauses).toEqual([100, 200]);
  expect(shouldRetry.mock.calls).toEqual([
    [failure(1), 1],
    [failure(2), 2],
    [failure(3), 3],
  ]);
});

test('an error can demand a longer pause, but not a shorter one', async () => {
  const minPauseMs = vi.fn().mockReturnValueOnce(5_000).mockReturnValue(1);
  const onRetry = vi.fn();
  const { options, pauses } = recordingOptions({ minPauseMs, onRetry });
  await retry(failing(2), options);
  expect(pauses).toEqual([5_000, 200]);
  expect(onRetry.mock.calls).toEqual([
    [failure(1), 5_000],
    [failure(2), 200],
  ]);
});

test('a sleep ends without an error when it is aborted', async () => {
  const controller = new AbortController();
  const sleeping = sleepUnlessAborted(60_000, controller.signal);
  controller.abort();
  await expect(sleeping).resolves.toBeUndefined();
  await expect(sleepUnlessAborted(60_000, controller.signal)).resolves.toBeUndefined();
});
