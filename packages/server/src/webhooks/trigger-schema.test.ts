import { expect, test } from 'vitest';
import { catchError } from '../../../../test/support/errors/catch-error.ts';
import { hasCode } from '../errors.ts';
import { checkTrigger, parseStoredTrigger } from './trigger-schema.ts';

const WALLET = 'So11111111111111111111111111111111111111112';

test('a trigger of each type is accepted with its fields', () => {
  for (const trigger of [
    { type: 'loanHealth', obligation: WALLET, threshold: '0.8' },
    { type: 'loanHealth', wallet: WALLET, threshold: '0.1', metric: 'distanceToLiquidation' },
    { type: 'liquidation', wallet: WALLET },
    { type: 'vaultApy', vault: WALLET, threshold: '0.05', direction: 'falling' },
    { type: 'vaultLiquidity', vault: WALLET, threshold: '1000', hysteresis: '10' },
    { type: 'reservePrice', reserve: WALLET, threshold: '100' },
    { type: 'reserveCap', reserve: WALLET, cap: 'borrow', threshold: '0.95' },
    { type: 'walletTransactions', wallet: WALLET },
  ] as const) {
    expect(checkTrigger(trigger)).toBe(trigger);
    expect(parseStoredTrigger(JSON.stringify(trigger))).toEqual(trigger);
  }
});

test('every missing, foreign or invalid field is an issue', () => {
  const issuesOf = (trigger: Parameters<typeof checkTrigger>[0]) => {
    const error = catchError(() => checkTrigger(trigger));
    const issues = hasCode(error, 'INVALID_BODY') ? error.context.issues : [];
    return issues.map(({ path }) => path.join('.'));
  };
  expect(issuesOf({ type: 'loanHealth' })).toEqual(['trigger.threshold', 'trigger.obligation']);
  expect(issuesOf({ type: 'liquidation', wallet: WALLET, obligation: WALLET })).toEqual([
    'trigger.obligation',
  ]);
  expect(issuesOf({ type: 'walletTransactions', wallet: WALLET, threshold: '1' })).toEqual([
    'trigger.threshold',
  ]);
  expect(issuesOf({ type: 'reserveCap', reserve: WALLET, threshold: '1' })).toEqual([
    'trigger.cap',
  ]);
  expect(issuesOf({ type: 'walletTransactions', wallet: 'z'.repeat(44) })).toEqual([
    'trigger.wallet',
  ]);
  expect(issuesOf({ type: 'vaultApy', vault: WALLET, threshold: '1', hysteresis: '-0.1' })).toEqual(
    ['trigger.hysteresis'],
  );
});

test('a stored text with other fields is malformed', () => {
  expect(catchError(() => parseStoredTrigger('{"type":"other"}'))).toMatchObject({
    code: 'MALFORMED_DATA',
  });
});
