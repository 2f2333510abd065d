import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import {
  exampleVault,
  exampleVaultContext,
  NO_PENALTY,
  RESERVE_A,
  RESERVE_B,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import type { Address } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { NEWEST_VAULT_RULES } from '../releases.ts';
import { planWithdraw, type WithdrawPlan, type WithdrawPlanRequest } from './plan-withdraw.ts';
import { refreshVault } from './refresh-vault.ts';

const free = (a: bigint, b: bigint): ReadonlyMap<Address, ReturnType<typeof toLamports>> =>
  new Map([
    [RESERVE_A, toLamports(a)],
    [RESERVE_B, toLamports(b)],
  ]);

const LIQUID = free(1_000_000_000n, 1_000_000_000n);

const request = (shares: bigint, more: Partial<WithdrawPlanRequest> = {}): WithdrawPlanRequest => ({
  shares,
  sharesBalance: 9_000_000n,
  globalConfig: NO_PENALTY,
  freeLiquidity: LIQUID,
  ...more,
});

const plan = (shares: bigint, more: Partial<WithdrawPlanRequest> = {}): WithdrawPlan =>
  planWithdraw(exampleVault, exampleVaultContext, request(shares, more));

const stepsOf = ({ steps }: WithdrawPlan) => steps.map(({ reserve, shares }) => [reserve, shares]);

const received = ({ steps }: Pick<WithdrawPlan, 'steps'>): bigint =>
  steps.reduce(
    (sum, { effects }) =>
      sum + effects.availableToSendToUser + effects.investedLiquidityToSendToUser,
    0n,
  );

test('uses only available tokens if they are sufficient', () => {
  expect(stepsOf(plan(1_000_000n))).toEqual([[undefined, 1_000_000n]]);
});

test('uses one step if a reserve covers the rest, the largest reserve first', () => {
  expect(stepsOf(plan(5_000_000n))).toEqual([[RESERVE_B, 5_000_000n]]);
});

test('splits a request over two reserves, available tokens included', () => {
  const split = plan(8_500_000n);
  // 1000000 available and 3571424 of B cost 5285229.1 shares.
  expect(stepsOf(split)).toEqual([
    [RESERVE_B, 5_285_230n],
    [RESERVE_A, 3_214_770n],
  ]);
  expect([split.unfilledShares, split.unburnedShares]).toEqual([0n, 0n]);
  // 7784489.288687550 * 8.5 / 9 = 7352017.66, and each step loses a lamport by rounding.
  expect(received(split)).toBe(7_352_016n);
});

test('a later step includes the rounding gain of an earlier one in its reserve', () => {
  const vault = vaultWith(
    { sharesIssued: 50n, lastFeeChargeTimestamp: exampleVaultContext.time.unix },
    [
      { reserve: RESERVE_A, ctokenAllocation: 19n },
      { reserve: RESERVE_B, ctokenAllocation: 83n },
    ],
  );
  const exchanges = new Map([
    [RESERVE_A, { totalSupply: sfFromBits(192_297_705_768_285_140_173n), mintTotalSupply: 100n }],
    [RESERVE_B, { totalSupply: sfFromInt(119n), mintTotalSupply: 100n }],
  ]);
  const small = request(47n, { sharesBalance: 50n });
  const rules = NEWEST_VAULT_RULES;
  const { steps } = planWithdraw(vault, { ...exampleVaultContext, exchanges, rules }, small);
  // Without it the second step would be worth 26 and pay 25, for 15 cTokens.
  expect(
    steps.map(({ shares, effects }) => [
      shares,
      effects.investedLiquidityToSendToUser + effects.availableToSendToUser,
      effects.investedToDisinvestCtokens,
    ]),
  ).toEqual([
    [37n, 95n, 81n],
    [10n, 26n, 16n],
  ]);
});

test('a full exit requests all shares from each reserve', () => {
  const all = plan(U64_MAX);
  expect(stepsOf(all)).toEqual([
    [RESERVE_B, U64_MAX],
    [RESERVE_A, U64_MAX],
  ]);
  expect([all.unfilledShares, all.unburnedShares]).toEqual([0n, 0n]);
  expect(all.steps.map(({ effects }) => effects.sharesToBurn)).toEqual([5_285_232n, 3_714_768n]);
  expect(received(all)).toBe(7_784_488n);
});

test('with a penalty only the last step requests all shares, so it is charged once', () => {
  const globalConfig = { withdrawalPenaltyBps: 100n, withdrawalPenaltyLamports: toLamports(0n) };
  const all = plan(U64_MAX, { globalConfig });
  const [first, last] = all.steps;
  expect(first?.reserve).toBe(RESERVE_B);
  expect(first?.shares).toBeLessThan(9_000_000n);
  expect(last?.shares).toBe(U64_MAX);
  const penalties = all.steps.reduce((sum, { effects }) => sum + effects.withdrawalPenalty, 0n);
  // One percent of 7784489 is 77844.89; the remaining shares gain from its first part.
  expect(penalties).toBeGreaterThanOrEqual(77_844n);
  expect(penalties).toBeLessThanOrEqual(77_845n + 1_000n);
});

test('requests at most the free liquidity of a reserve', () => {
  const short = plan(8_500_000n, { freeLiquidity: free(3_000_000n, 2_000_000n) });
  expect(short.steps.map(({ reserve }) => reserve)).toEqual([RESERVE_A, RESERVE_B]);
  const released = short.steps.map(({ effects }) => effects.investedLiquidityToDisinvest);
  expect(released[0]).toBeLessThanOrEqual(3_000_000n);
  expect(released[1]).toBeLessThanOrEqual(2_000_000n);
  const placed = short.steps.reduce((sum, { shares }) => sum + shares, 0n);
  expect(placed + short.unfilledShares).toBe(8_500_000n);
  expect(short.unfilledShares).toBeGreaterThan(0n);
});

test('a full exit from an illiquid vault requests a number of shares instead of all', () => {
  const short = plan(U64_MAX, { freeLiquidity: free(0n, 2_000_000n) });
  expect(short.steps.map(({ reserve }) => reserve)).toEqual([RESERVE_B]);
  expect(short.steps[0]?.shares).toBeLessThan(9_000_000n);
  expect(short.unfilledShares).toBe(9_000_000n - (short.steps[0]?.effects.sharesToBurn ?? 0n));
});

test('without liquid reserves it withdraws only available tokens', () => {
  const dry = plan(8_500_000n, { freeLiquidity: new Map() });
  expect(dry.steps.map(({ reserve }) => reserve)).toEqual([undefined]);
  expect(dry.steps[0]?.effects.availableToSendToUser).toBe(1_000_000n);
  const broke = { ...exampleVault, tokenAvailable: toLamports(0n) };
  const nothing = planWithdraw(
    broke,
    exampleVaultContext,
    request(8_500_000n, { freeLiquidity: new Map() }),
  );
  const unfilled = { unfilledShares: 8_500_000n, unburnedShares: 8_500_000n };
  expect(nothing).toEqual({ steps: [], ...unfilled });
});

test('leaves enough for the last step to exceed the minimum', () => {
  // Nine lamports more than B can pay, which alone are below the minimum of a thousand.
  const vault = { ...exampleVault, minWithdrawAmount: toLamports(1_000n) };
  const { steps, unfilledShares } = planWithdraw(vault, exampleVaultContext, request(5_285_240n));
  expect(steps.map(({ reserve }) => reserve)).toEqual([RESERVE_B, RESERVE_A]);
  expect(steps.reduce((sum, { shares }) => sum + shares, 0n)).toBe(5_285_240n);
  const { effects } = steps[1] ?? {};
  const paid =
    (effects?.availableToSendToUser ?? 0n) + (effects?.investedLiquidityToSendToUser ?? 0n);
  expect(paid).toBeGreaterThanOrEqual(1_000n);
  expect(unfilledShares).toBe(0n);
});

/** A vault with lamports in A and B, at one lamport per share and cToken, and a minimum payout of a thousand. */
function smallVault([a, b]: [bigint, bigint], shares: bigint, balance = a + b): WithdrawPlan {
  const vault = vaultWith(
    {
      sharesIssued: a + b,
      minWithdrawAmount: toLamports(1_000n),
      lastFeeChargeTimestamp: exampleVaultContext.time.unix,
    },
    [
      { reserve: RESERVE_A, ctokenAllocation: a },
      { reserve: RESERVE_B, ctokenAllocation: b },
    ],
  );
  const even = { totalSupply: sfFromInt(1_000_000n), mintTotalSupply: 1_000_000n };
  const exchanges = new Map([
    [RESERVE_A, even],
    [RESERVE_B, even],
  ]);
  const redemption = request(shares, { sharesBalance: balance });
  return planWithdraw(vault, { ...exampleVaultContext, exchanges }, redemption);
}

test('does not use reserves that pay below the minimum, even for a full exit', () => {
  expect(smallVault([800n, 700n], U64_MAX)).toEqual({
    steps: [],
    unfilledShares: 1_500n,
    unburnedShares: 1_500n,
  });
  expect(smallVault([800n, 700n], 1_400n).steps).toEqual([]);
});

test('a full exit leaves a last part below the minimum', () => {
  const all = smallVault([5_000n, 500n], U64_MAX);
  expect(stepsOf(all)).toEqual([[RESERVE_A, U64_MAX]]);
  expect([all.unfilledShares, all.unburnedShares]).toEqual([500n, 500n]);
  const most = smallVault([5_000n, 500n], U64_MAX, 5_400n);
  expect(stepsOf(most)).toEqual([[RESERVE_A, U64_MAX]]);
  expect([most.unfilledShares, most.unburnedShares]).toEqual([400n, 400n]);
});

test('shares below the last lamport are requested but not burned', () => {
  // 9.5 lamports for a thousand shares: nine are paid for 947.4 shares.
  const vault = vaultWith({
    tokenAvailable: toLamports(10n),
    pendingFeesSf: sfFromBits(1n << 59n),
    sharesIssued: 1_000n,
    lastFeeChargeTimestamp: exampleVaultContext.time.unix,
  });
  const redemption = request(U64_MAX, { sharesBalance: 1_000n });
  const all = planWithdraw(vault, exampleVaultContext, redemption);
  expect(stepsOf(all)).toEqual([[undefined, U64_MAX]]);
  expect([all.unfilledShares, all.unburnedShares]).toEqual([0n, 52n]);
});

test('throws if the program rejects the full request', () => {
  expect(programErrorName(catchError(() => plan(0n)))).toBe('CannotWithdrawZeroShares');
  expect(programErrorName(catchError(() => plan(1n)))).toBe('CannotWithdrawZeroLamports');
  const globalConfig = { withdrawalPenaltyBps: 0n, withdrawalPenaltyLamports: toLamports(9_999n) };
  expect(programErrorName(catchError(() => plan(1_000n, { globalConfig })))).toBe(
    'WithdrawAmountLessThanWithdrawalPenalty',
  );
  const vault = { ...exampleVault, minWithdrawAmount: toLamports(1_000n) };
  expect(
    programErrorName(catchError(() => planWithdraw(vault, exampleVaultContext, request(1_000n)))),
  ).toBe('WithdrawAmountBelowMinimum');
});

test('property: steps add up, are payable and pay as much as a single withdrawal', () => {
  const cases = fc.record({
    available: fc.bigInt(0n, 1n << 30n),
    ctokens: fc.tuple(fc.bigInt(0n, 1n << 30n), fc.bigInt(0n, 1n << 30n)),
    supplies: fc.tuple(fc.bigInt(1n << 90n, 1n << 93n), fc.bigInt(1n << 90n, 1n << 93n)),
    liquid: fc.tuple(fc.bigInt(0n, 1n << 32n), fc.bigInt(0n, 1n << 32n)),
    sharesIssued: fc.bigInt(1n << 20n, 1n << 31n),
    part: fc.bigInt(1n, 1n << 31n),
    bps: fc.constantFrom(0n, 100n),
    minimum: fc.constantFrom(0n, 1_000n),
  });
  assertProperty(
    fc.property(cases, ({ available, ctokens, supplies, liquid, sharesIssued, ...some }) => {
      const mintTotalSupply = 1n << 30n;
      const vault = vaultWith(
        {
          tokenAvailable: toLamports(available),
          sharesIssued,
          withdrawalPenaltyBps: some.bps,
          minWithdrawAmount: toLamports(some.minimum),
          lastFeeChargeTimestamp: exampleVaultContext.time.unix,
        },
        [
          { reserve: RESERVE_A, ctokenAllocation: ctokens[0] },
          { reserve: RESERVE_B, ctokenAllocation: ctokens[1] },
        ],
      );
      const exchanges = new Map([
        [RESERVE_A, { totalSupply: sfFromBits(supplies[0]), mintTotalSupply }],
        [RESERVE_B, { totalSupply: sfFromBits(supplies[1]), mintTotalSupply }],
      ]);
      const shares = some.part < sharesIssued ? some.part : sharesIssued;
      const run = () =>
        planWithdraw(
          vault,
          { ...exampleVaultContext, exchanges },
          {
            shares,
            sharesBalance: sharesIssued,
            globalConfig: NO_PENALTY,
            freeLiquidity: free(liquid[0], liquid[1]),
          },
        );
      fc.pre(programErrorName(catchError(run)) === undefined);
      const { steps, unfilledShares, unburnedShares } = run();
      const burned = steps.reduce((sum, { effects }) => sum + effects.sharesToBurn, 0n);
      expect(burned + unburnedShares).toBe(shares);
      if (shares < sharesIssued) {
        expect(steps.reduce((sum, step) => sum + step.shares, unfilledShares)).toBe(shares);
      }
      const paid = received({ steps });
      const { aum } = refreshVault(vault, { ...exampleVaultContext, exchanges });
      const worth = ((aum * shares) / sharesIssued) >> 60n;
      expect(paid).toBeLessThanOrEqual(worth);
      if (unfilledShares === 0n && some.bps === 0n) {
        // A step rounds two amounts down by a lamport each, and the burned shares up.
        const lost = (2n + ((aum / sharesIssued) >> 60n) + 1n) * BigInt(steps.length);
        expect(paid + lost).toBeGreaterThanOrEqual(worth);
      }
      for (const { reserve, effects } of steps) {
        const liquidity = reserve === RESERVE_A ? liquid[0] : liquid[1];
        if (reserve === undefined) expect(effects.investedToDisinvestCtokens).toBe(0n);
        else expect(effects.investedLiquidityToDisinvest).toBeLessThanOrEqual(liquidity);
      }
    }),
    100,
  );
});
