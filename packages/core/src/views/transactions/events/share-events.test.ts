import { expect, test } from 'vitest';
import { ZERO_RATIO } from '../../../base/numbers/ratio.ts';
import { toUnixSeconds } from '../../../base/time.ts';
import { type ShareTrade, viewVaultPnl } from '../../vaults/vault-pnl.ts';
import { addMissingPurchases } from './share-events.ts';

const prices = (tokens: bigint) => ({
  tokensPerShare: { numerator: tokens, denominator: 1n },
  tokenPrice: { numerator: 1n, denominator: 1n },
  solPrice: ZERO_RATIO,
});

const event = (kind: ShareTrade['kind'], shares: bigint, tokens: bigint): ShareTrade => ({
  kind,
  shares,
  at: toUnixSeconds(tokens),
  prices: prices(tokens),
});

const summarize = (events: readonly ShareTrade[]) =>
  events.map(({ kind, shares }) => [kind, shares]);

test('sales of bought shares are unchanged', () => {
  const events = [event('buy', 5n, 1n), event('sell', 2n, 2n), event('sell', 3n, 3n)];
  expect(addMissingPurchases(events)).toEqual(events);
});

test('shares without a known purchase are bought at the price of their sale', () => {
  const events = [event('buy', 5n, 1n), event('sell', 8n, 3n), event('sell', 1n, 4n)];
  const completed = addMissingPurchases(events);
  expect(summarize(completed)).toEqual([
    ['buy', 5n],
    ['buy', 3n],
    ['sell', 8n],
    ['buy', 1n],
    ['sell', 1n],
  ]);
  // five bought for 5 and sold for 15
  const { totalPnl } = viewVaultPnl(completed, { at: toUnixSeconds(9n), prices: prices(9n) }, 0n);
  const { numerator, denominator } = totalPnl.token;
  expect(numerator).toBe(10n * denominator);
});
