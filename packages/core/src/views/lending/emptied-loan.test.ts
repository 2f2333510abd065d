import { expect, test } from 'vitest';
import { numberedAddress } from '../../../../../test/support/protocol/codecs.ts';
import { type CollateralEvent, findEmptyingEvents } from './emptied-loan.ts';

const [SOL, USDC] = [numberedAddress(1), numberedAddress(2)];

const event = (
  transaction: number,
  kind: CollateralEvent['kind'],
  collateral?: bigint,
): CollateralEvent => ({ transaction: String(transaction), kind, reserve: SOL, collateral });

const ofUsdc = (each: CollateralEvent): CollateralEvent => ({ ...each, reserve: USDC });

const emptying = (...events: CollateralEvent[]): number[] =>
  [...findEmptyingEvents(events)].filter((index) => index >= 0);

test('a loan is empty after the withdrawal of its last collateral', () => {
  expect(
    emptying(
      event(1, 'deposit', 10n),
      ofUsdc(event(2, 'deposit', 5n)),
      event(3, 'withdraw', 10n),
      ofUsdc(event(4, 'withdraw', 4n)),
      ofUsdc(event(5, 'withdraw', 1n)),
      event(6, 'deposit', 7n),
    ),
  ).toEqual([4]);
});

test('collateral that one transaction exchanges leaves no empty loan', () => {
  expect(
    emptying(event(1, 'deposit', 10n), event(2, 'withdraw', 10n), ofUsdc(event(2, 'deposit', 9n))),
  ).toEqual([]);
});

test('an account that is created again was empty before', () => {
  expect(
    emptying(event(1, 'open'), event(1, 'deposit'), event(2, 'withdraw'), event(3, 'open')),
  ).toEqual([2]);
});

test('a loan without collateral after a liquidation may have a debt', () => {
  expect(emptying(event(1, 'deposit', 10n), event(2, 'seize', 10n), event(3, 'other'))).toEqual([]);
});

test('an unknown amount, or more withdrawn than deposited, tells nothing', () => {
  expect(emptying(event(1, 'deposit'), event(2, 'withdraw', 10n))).toEqual([]);
  expect(emptying(event(1, 'withdraw', 10n), event(2, 'deposit', 10n))).toEqual([]);
});
