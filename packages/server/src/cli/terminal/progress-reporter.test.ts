import { ZERO_ADDRESS } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import {
  createBackfillReporter,
  createImportReporter,
  createLoadReporter,
  createSimulationReporter,
} from './progress-reporter.ts';

/** Collects what a reporter writes; `clock.ms` is the current time. */
function recordingStream(isTTY: boolean) {
  const written: string[] = [];
  const write = (text: unknown) => written.push(String(text)) > 0;
  const time = { ms: 0 };
  return { written, time, options: { out: { isTTY, write }, clock: () => time.ms } };
}

test('the bar shows the loaded account sets', () => {
  const { written, options } = recordingStream(true);
  createLoadReporter('localnet', options)({ done: 0, total: 0, accounts: 0 });
  createLoadReporter('devnet', options)({ done: 3, total: 12, accounts: 77 });
  expect(written).toEqual([
    `\rLoading localnet ${'░'.repeat(24)} 0/0, 0 accounts`,
    `\rLoading devnet ${'█'.repeat(6)}${'░'.repeat(18)} 3/12, 77 accounts`,
  ]);
});

test('the bar shows the simulated days', () => {
  const { written, options } = recordingStream(true);
  createSimulationReporter(options)({ minutes: 1_500, totalMinutes: 3_000 });
  expect(written).toEqual([`\rSimulating history ${'█'.repeat(12)}${'░'.repeat(12)} 1/2 days`]);
});

test('the bar of a backfill spans all addresses', () => {
  const { written, options } = recordingStream(true);
  const report = createBackfillReporter(options);
  const progress = { address: ZERO_ADDRESS, addressCount: 2, transactions: 3, events: 7 };
  report({ ...progress, addressNumber: 1, permille: 500 });
  report({ ...progress, addressNumber: 2, permille: 1_000 });
  expect(written).toEqual([
    `\rFetching history ${'█'.repeat(6)}${'░'.repeat(18)} 1/2, 7 events`,
    `\rFetching history ${'█'.repeat(24)} 2/2, 7 events\n`,
  ]);
});

test('an unchanged bar is not drawn again', () => {
  const { written, options } = recordingStream(true);
  const report = createSimulationReporter(options);
  for (const minutes of [1, 2, 1_440, 2_880, 2_880]) report({ minutes, totalMinutes: 2_880 });
  expect(written).toHaveLength(3);
  expect(written.at(-1)?.endsWith('2/2 days\n')).toBe(true);
});

test('a complete bar ends its line and is final', () => {
  const { written, options } = recordingStream(true);
  const report = createLoadReporter('devnet', options);
  for (const done of [1, 2, 2]) report({ done, total: 2, accounts: 5 });
  expect(written.map((text) => [text.startsWith('\r'), text.endsWith('\n')])).toEqual([
    [true, false],
    [true, true],
  ]);
});

test('without a terminal a plain line is written every three seconds and at the end', () => {
  const { written, time, options } = recordingStream(false);
  const report = createSimulationReporter(options);
  const totalMinutes = 365 * 1_440;
  for (const [seconds, day] of [
    [0, 0],
    [2.9, 100],
    [3, 146],
    [5.9, 200],
    [6, 219],
    [6.1, 365],
    [9, 365],
  ] as const) {
    time.ms = seconds * 1_000;
    report({ minutes: day * 1_440, totalMinutes });
  }
  expect(written).toEqual([
    'Simulating history: 40 % (146 of 365 days)\n',
    'Simulating history: 60 % (219 of 365 days)\n',
    'Simulating history: 100 % (365 of 365 days)\n',
  ]);
});

test('every reporter has its plain line', () => {
  const { written, time, options } = recordingStream(false);
  const load = createLoadReporter('devnet', options);
  const backfill = createBackfillReporter(options);
  const copy = createImportReporter(options);
  time.ms = 3_000;
  load({ done: 3, total: 12, accounts: 77 });
  const progress = { address: ZERO_ADDRESS, addressCount: 2, transactions: 3, events: 7 };
  backfill({ ...progress, addressNumber: 1, permille: 500 });
  copy(5, 10);
  expect(written).toEqual([
    'Loading devnet: 25 % (3 of 12 account sets, 77 accounts)\n',
    'Fetching history: 25 % (address 1 of 2, 7 events)\n',
    'Copying series: 50 % (5 of 10)\n',
  ]);
});

test('without a terminal nothing is written about work of less than three seconds', () => {
  const { written, time, options } = recordingStream(false);
  const report = createLoadReporter('devnet', options);
  for (const done of [1, 2]) {
    time.ms += 1_400;
    report({ done, total: 2, accounts: 5 });
  }
  expect(written).toEqual([]);
});
