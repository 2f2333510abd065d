import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { formatRatio, type Ratio, ratio } from '#core/base/numbers/decimal.ts';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toSlot } from '#core/base/time.ts';
import type { Reserve } from '#core/protocol/klend/layout/reserve.ts';
import { viewVaultMetrics } from '#core/views/vaults/vault-metrics.ts';
import { snapshotVault } from '#core/views/vaults/vault-snapshot.ts';
import { emptyMarket, exampleReserve, MARKET, NOW, SLOT } from '../lending/lending-accounts.ts';
import {
  exampleVault,
  RESERVE_A,
  RESERVE_B,
  repeatedByteAddress,
} from '../vaults/example-vault.ts';
import { type HistoricalVaultSource, historicalVaultContext } from './historical-vault-context.ts';

const TOKEN = repeatedByteAddress(7);
const SOL = toAddress('So11111111111111111111111111111111111111112');
const vault = { address: repeatedByteAddress(6), fields: { ...exampleVault, tokenMint: TOKEN } };

const half = (): Reserve => {
  const base = exampleReserve();
  const totalAvailableAmount = toLamports(500_000_000_000n);
  return { ...base, liquidity: { ...base.liquidity, totalAvailableAmount } };
};

/** The two reserves of the example, whose stored prices are old. */
const source = (changes: Partial<HistoricalVaultSource> = {}): HistoricalVaultSource => ({
  at: { slot: SLOT, unix: NOW },
  slotMs: ratio(500n, 1n),
  markets: [{ address: MARKET, fields: emptyMarket() }],
  reserves: [
    { address: RESERVE_A, fields: exampleReserve(), oraclePrice: sfFromInt(3n) },
    { address: RESERVE_B, fields: half(), oraclePrice: sfFromInt(3n) },
  ],
  farms: [],
  prices: new Map([
    [TOKEN, sfFromInt(2n)],
    [SOL, sfFromInt(100n)],
  ]),
  ...changes,
});

const metricsOf = (past: HistoricalVaultSource) => {
  const terms = historicalVaultContext(past);
  const now = snapshotVault(vault, terms);
  return now && viewVaultMetrics(now, terms);
};

const number = (value: Ratio | undefined): number =>
  Number(value === undefined ? Number.NaN : formatRatio(value, 20));

test('the example of the programs’ mathematics, at the prices of then', () => {
  const metrics = metricsOf(source());
  expect(number(metrics?.tokensPerShare)).toBeCloseTo(0.86496759126984, 13);
  expect(number(metrics?.sharePrice)).toBeCloseTo(2 * 0.86496759126984, 13);
  expect(number(metrics?.invested.tokens)).toBeCloseTo(6.785708571428571, 12);
  expect(number(metrics?.invested.sol)).toBeCloseTo((6.785708571428571 * 2) / 100, 12);
  // as the official client has them, whose power has eight digits
  expect(number(metrics?.apyTheoretical)).toBeCloseTo(0.0064897556689926805, 7);
  expect(number(metrics?.apyActual)).toBeCloseTo(0.002284729764368665, 7);
});

test('a token without a price of its own is worth what its reserves are priced at', () => {
  expect(number(metricsOf(source({ prices: new Map() }))?.tokenPrice)).toBe(3);
});

test('without one of its reserves a vault has no figures', () => {
  const [first] = source().reserves;
  if (first === undefined) throw new Error('not there');
  expect(metricsOf(source({ reserves: [first] }))).toBeUndefined();
  expect(metricsOf(source({ markets: [] }))).toBeUndefined();
});

test('interest up to the slot of then is part of what a share is worth', () => {
  const at = { slot: toSlot(SLOT + 10_000_000n), unix: NOW };
  const later = metricsOf(source({ at }));
  // 7.3 weeks at the rates of the reserves, 0.9444 % and 2.125 % a year
  const years = 10_000_000 / 63_072_000;
  const earned = 3.214283571 * 0.009444 * years + 3.571425 * 0.02125 * years;
  const gained = number(later?.tokensPerShare) - 0.86496759126984;
  expect(gained).toBeCloseTo(earned / 9, 5);
  expect(gained).toBeGreaterThan(0.001);
});
