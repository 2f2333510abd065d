import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyMarket,
  exampleObligation,
  exampleReserves,
  MARKET,
  NOW,
  SLOT,
  SOL_RESERVE,
  USDC_RESERVE,
} from '../../../../../test/support/lending/lending-accounts.ts';
import { assertProperty } from '../../../../../test/support/properties/assert-property.ts';
import { repeatedByteAddress } from '../../../../../test/support/vaults/example-vault.ts';
import { ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { bsfFromBits, ONE_BSF } from '../../base/numbers/big-scaled-fraction.ts';
import { formatRatio, type Ratio, ratio } from '../../base/numbers/decimal.ts';
import { compareRatios } from '../../base/numbers/ratio.ts';
import { formatSf, ONE_SF } from '../../base/numbers/scaled-fraction.ts';
import { type Slot, toSlot, toUnixSeconds } from '../../base/time.ts';
import type { Obligation } from '../../protocol/klend/layout/obligation.ts';
import type { Reserve } from '../../protocol/klend/layout/reserve.ts';
import { refreshObligation } from '../../protocol/klend/operations/refresh/refresh-obligation.ts';
import { accrueReserveToSlot } from '../../protocol/klend/operations/refresh/refresh-reserve.ts';
import { NEWEST_LENDING_RULES } from '../../protocol/klend/releases.ts';
import { snapshotHistoricalMarket } from './historical-market.ts';
import { viewObligationPoint } from './obligation-history.ts';

const SOL_MINT = repeatedByteAddress(1);
const USDC_MINT = repeatedByteAddress(2);

const withMint = (reserve: Reserve, mintPubkey: typeof SOL_MINT): Reserve => ({
  ...reserve,
  liquidity: { ...reserve.liquidity, mintPubkey },
});

const reserves = () =>
  new Map(
    [...exampleReserves()].map(([address, reserve]) => [
      address,
      withMint(reserve, address === SOL_RESERVE ? SOL_MINT : USDC_MINT),
    ]),
  );

const marketAt = (slot: Slot) =>
  snapshotHistoricalMarket({
    market: { address: MARKET, fields: emptyMarket() },
    reserves: [...reserves()].map(([address, fields]) => ({
      address,
      fields,
      oraclePrice: fields.liquidity.marketPriceSf,
    })),
    at: { slot, unix: NOW },
    slotMs: ratio(400n, 1n),
    rules: NEWEST_LENDING_RULES,
  });

const PRICED = toUnixSeconds(NOW - 5n);
const pricing = { solPrice: ratio(150n, 1n), solPriceAt: PRICED };

const pointOf = (
  obligation: Obligation,
  { slot = SLOT, ...more }: { slot?: Slot; stakeRates?: Map<typeof SOL_MINT, Ratio> } = {},
) => {
  const point = viewObligationPoint(obligation, marketAt(slot), { ...pricing, ...more });
  if (point === undefined) throw new Error('the obligation is empty');
  return point;
};

const number = (value: Ratio): number => Number(formatRatio(value, 20));

test('the reference example has the expected values in USD and SOL', () => {
  const { at, refreshedStats, deposits, borrows, solValues } = pointOf(exampleObligation());
  expect(at).toBe(NOW);
  expect(number(refreshedStats.netAccountValue)).toBeCloseTo(334.9998895, 9);
  expect(deposits.map(({ mint }) => mint)).toEqual([SOL_MINT, USDC_MINT]);
  // lamports, including the fraction from the exchange rate
  const [sol, usdc] = deposits;
  expect(Number(sol && formatSf(sol.amount))).toBeCloseTo(2_399_999_600, 3);
  expect(Number(usdc && formatSf(usdc.value))).toBeCloseTo(74.99995, 9);
  expect(borrows.map(({ mint, amount }) => [mint, formatSf(amount)])).toEqual([
    [USDC_MINT, '100000000.5'],
  ]);
  expect(number(solValues.collateral)).toBeCloseTo(434.99989 / 150, 9);
  expect(number(solValues.debt)).toBeCloseTo(100.0000005 / 150, 12);
  expect(number(solValues.net)).toBeCloseTo(334.9998895 / 150, 9);
  // exactly the values in USD over the price
  const { userTotalDeposit, userTotalBorrow } = refreshedStats;
  expect(compareRatios(solValues.collateral, ratio(userTotalDeposit, 150n * ONE_SF))).toBe(0);
  expect(compareRatios(solValues.debt, ratio(userTotalBorrow, 150n * ONE_SF))).toBe(0);
  expect(solValues).toMatchObject({ solPrice: ratio(150n, 1n), solPriceAt: PRICED });
});

test('a stake rate changes only the SOL value of its token', () => {
  const stakeRates = new Map([[SOL_MINT, ratio(6n, 5n)]]);
  const staked = pointOf(exampleObligation(), { stakeRates });
  // 2.3999996 tokens at 1.2 SOL, and 74.99995 USD at 150 USD per SOL
  expect(number(staked.solValues.collateral)).toBeCloseTo(2.3999996 * 1.2 + 74.99995 / 150, 9);
  const { solValues, ...others } = pointOf(exampleObligation());
  expect(staked).toMatchObject(others);
  expect(staked.solValues.debt).toEqual(solValues.debt);
  expect(number(staked.solValues.net)).toBeCloseTo(
    number(staked.solValues.collateral) - number(solValues.debt),
    12,
  );
});

test('without a SOL price the values in SOL are zero', () => {
  const market = marketAt(SLOT);
  const noPrice = { ...pricing, solPrice: ratio(0n, 1n) };
  const point = viewObligationPoint(exampleObligation(), market, noPrice);
  expect(point?.solValues.net.numerator).toBe(0n);
});

test("property: at any later slot the point equals the program's refresh", () => {
  assertProperty(
    fc.property(fc.bigInt(0n, 20_000_000n), (elapsed) => {
      const time = { slot: toSlot(SLOT + elapsed), unix: NOW };
      const market = emptyMarket();
      const fresh = new Map(
        [...reserves()].map(([address, fields]) => [
          address,
          accrueReserveToSlot(fields, { market, time, rules: NEWEST_LENDING_RULES }),
        ]),
      );
      const { obligation } = refreshObligation(
        { obligation: exampleObligation(), reserves: fresh },
        { market, time, rules: NEWEST_LENDING_RULES },
      );
      const point = pointOf(exampleObligation(), { slot: time.slot });
      const { refreshedStats: stats } = point;
      expect(stats.userTotalDeposit).toBe(obligation.depositedValueSf);
      expect(stats.userTotalBorrow).toBe(obligation.borrowedAssetsMarketValueSf);
      expect(stats.borrowLimit).toBe(obligation.allowedBorrowValueSf);
      expect(stats.borrowLiquidationLimit).toBe(obligation.unhealthyBorrowValueSf);
      expect(point.deposits.map(({ value }) => value)).toEqual(
        obligation.deposits.slice(0, 2).map(({ marketValueSf }) => marketValueSf),
      );
      expect(point.borrows.map(({ amount, value }) => [amount, value])).toEqual([
        [obligation.borrows[0]?.borrowedAmountSf, obligation.borrows[0]?.marketValueSf],
      ]);
    }),
    50,
  );
});

test('a debt newer than the sample of its reserve has no interest yet', () => {
  const example = exampleObligation();
  const value = bsfFromBits(ONE_BSF + 1_000n);
  const borrows = example.borrows.map((borrow) => ({
    ...borrow,
    cumulativeBorrowRateBsf: { ...borrow.cumulativeBorrowRateBsf, value },
  }));
  const [debt] = pointOf({ ...example, borrows }).borrows;
  expect(debt && formatSf(debt.amount)).toBe('100000000.5');
  expect(example.borrows[0]?.borrowReserve).toBe(USDC_RESERVE);
});

test('an obligation without positions has no point', () => {
  const example = exampleObligation();
  const deposits = example.deposits.map((position) => ({
    ...position,
    depositReserve: ZERO_ADDRESS,
  }));
  const borrows = example.borrows.map((position) => ({ ...position, borrowReserve: ZERO_ADDRESS }));
  const empty = { ...example, deposits, borrows };
  expect(viewObligationPoint(empty, marketAt(SLOT), pricing)).toBeUndefined();
});

test('fixed-rate tags are mapped to their base tags', () => {
  const tags = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].map(
    (tag) => pointOf({ ...exampleObligation(), tag }).tag,
  );
  expect(tags).toEqual([0, 1, 2, 3, 1, 2, 3, 0]);
});
