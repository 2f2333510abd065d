import { ZERO_ADDRESS } from '@tidegate/core/base';
import { expect, test } from 'vitest';
import {
  createLoadProgressBar,
  createSimulationProgressBar,
  formatBackfillProgress,
  formatLoadProgress,
  formatSimulationProgress,
} from './progress-bar.ts';

test('a bar fills with what was read', () => {
  expect(formatLoadProgress('localnet', { done: 0, total: 0, accounts: 0 })).toBe(
    `Loading localnet ${'░'.repeat(24)} 0/0, 0 accounts`,
  );
  expect(formatLoadProgress('devnet', { done: 3, total: 12, accounts: 77 })).toBe(
    `Loading devnet ${'█'.repeat(6)}${'░'.repeat(18)} 3/12, 77 accounts`,
  );
});

test('a bar fills with the days that were played', () => {
  expect(formatSimulationProgress({ minutes: 1_500, allMinutes: 3_000 })).toBe(
    `Playing the past of localnet ${'█'.repeat(12)}${'░'.repeat(12)} 1/2 days`,
  );
});

test('a bar fills with the past that was fetched, one address after the other', () => {
  const progress = { address: ZERO_ADDRESS, addresses: 2, transactions: 3, events: 7 };
  expect(formatBackfillProgress({ ...progress, number: 1, permille: 500 })).toBe(
    `Fetching the past ${'█'.repeat(6)}${'░'.repeat(18)} 1/2, 7 events`,
  );
  expect(formatBackfillProgress({ ...progress, number: 2, permille: 1_000 })).toBe(
    `Fetching the past ${'█'.repeat(24)} 2/2, 7 events`,
  );
});

test('what has not changed is not written again', () => {
  const written: string[] = [];
  const write = (text: unknown) => written.push(String(text)) > 0;
  const show = createSimulationProgressBar({ isTTY: true, write });
  for (const minutes of [1, 2, 1_440, 2_880, 2_880]) show({ minutes, allMinutes: 2_880 });
  expect(written).toHaveLength(3);
  expect(written.at(-1)?.endsWith('2/2 days\n')).toBe(true);
});

test('a finished bar ends its line, and nothing more is written', () => {
  const written: string[] = [];
  const write = (text: unknown) => written.push(String(text)) > 0;
  const show = createLoadProgressBar('devnet', { isTTY: true, write });
  for (const done of [1, 2, 2]) show({ done, total: 2, accounts: 5 });
  expect(written.map((text) => [text.startsWith('\r'), text.endsWith('\n')])).toEqual([
    [true, false],
    [true, true],
  ]);
});

test('nothing is written where nobody looks', () => {
  const written: unknown[] = [];
  const write = (text: unknown) => written.push(text) > 0;
  createLoadProgressBar('devnet', { isTTY: false, write })({ done: 1, total: 2, accounts: 5 });
  expect(written).toEqual([]);
});
