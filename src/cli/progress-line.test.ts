import { expect, test } from 'vitest';
import { progressText } from './progress-line.ts';

test('a bar fills with what was read', () => {
  expect(progressText('localnet', { done: 0, total: 0, accounts: 0 })).toBe(
    `Loading localnet ${'░'.repeat(24)} 0/0, 0 accounts`,
  );
  expect(progressText('devnet', { done: 3, total: 12, accounts: 77 })).toBe(
    `Loading devnet ${'█'.repeat(6)}${'░'.repeat(18)} 3/12, 77 accounts`,
  );
});
