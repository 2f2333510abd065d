import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import {
  EXCHANGE_B,
  exampleVault,
  exampleVaultContext,
  RESERVE_A,
  RESERVE_B,
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import type { Address } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { addSf, sfFromBits, sfFromInt, subSf } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot } from '../../../base/time.ts';
import type { VaultAllocation, VaultState } from '../layout/vault-state.ts';
import { vaultHoldings } from '../math/holdings.ts';
import { invest, planInvest } from './invest.ts';
import { refreshVault } from './refresh-vault.ts';

const into = (reserve: Address) => ({ reserve, whitelisted: false });
const targets = { a: 2_243_726_275_827_383_441_975_241n, b: 6_731_178_827_482_150_325_925_723n };

function withAllocation(
  vault: VaultState,
  reserve: Address,
  changes: Partial<VaultAllocation>,
): VaultState {
  return {
    ...vault,
    vaultAllocationStrategy: vault.vaultAllocationStrategy.map((allocation) =>
      allocation.reserve === reserve ? { ...allocation, ...changes } : allocation,
    ),
  };
}

/** The example vault after fees, with both targets set. */
const targeted = withAllocation(
  withAllocation(refreshVault(exampleVault, exampleVaultContext).vault, RESERVE_A, {
    tokenTargetAllocationSf: sfFromBits(targets.a),
  }),
  RESERVE_B,
  { tokenTargetAllocationSf: sfFromBits(targets.b) },
);

// The numbers come from an independent implementation in another language.
test('moves the excess out of A: 1183617 cTokens for 1268160, and the caller pays the lost lamport', () => {
  const { vault, ...moved } = invest(exampleVault, exampleVaultContext, into(RESERVE_A));
  expect(moved).toEqual({
    direction: 'subtract',
    liquidityAmount: 1_268_160n,
    collateralAmount: 1_183_617n,
    roundingLoss: 1n,
  });
  expect(vault).toEqual({
    ...withAllocation(targeted, RESERVE_A, {
      ctokenAllocation: 1_816_383n,
      lastInvestSlot: exampleVaultContext.time.slot,
    }),
    tokenAvailable: 2_268_161n,
  });
});

test('fills B with the available tokens, and crank funds pay the lost lamport', () => {
  const fromCrankFunds = { ...exampleVault, availableCrankFunds: toLamports(1n) };
  const { vault, ...moved } = invest(fromCrankFunds, exampleVaultContext, into(RESERVE_B));
  expect(moved).toEqual({
    direction: 'add',
    liquidityAmount: 1_000_000n,
    collateralAmount: 1_400_001n,
    roundingLoss: 0n,
  });
  expect(vault).toEqual({
    ...withAllocation(targeted, RESERVE_B, {
      ctokenAllocation: 6_400_001n,
      lastInvestSlot: exampleVaultContext.time.slot,
    }),
    tokenAvailable: 1n,
    availableCrankFunds: 0n,
  });
});

test('empties a reserve without weight', () => {
  const leaving = withAllocation(exampleVault, RESERVE_A, { targetAllocationWeight: 0n });
  const { vault, ...moved } = invest(leaving, exampleVaultContext, into(RESERVE_A));
  expect(moved.collateralAmount).toBe(3_000_000n);
  expect(moved.liquidityAmount).toBe(3_214_283n);
  expect(vault.vaultAllocationStrategy[0]?.ctokenAllocation).toBe(0n);
  expect(vault.tokenAvailable).toBe(4_214_284n);
});

test('a whole amount has no rounding loss', () => {
  const even = { totalSupply: sfFromInt(20n), mintTotalSupply: 10n };
  const vault = vaultWith({ tokenAvailable: toLamports(9n), sharesIssued: 9n }, [
    { reserve: RESERVE_A, targetAllocationWeight: 1n, tokenAllocationCap: toLamports(8n) },
  ]);
  const context = { ...exampleVaultContext, exchanges: new Map([[RESERVE_A, even]]) };
  const { vault: after, ...moved } = invest(vault, context, into(RESERVE_A));
  expect(moved).toEqual({
    direction: 'add',
    liquidityAmount: 8n,
    collateralAmount: 4n,
    roundingLoss: 0n,
  });
  expect(after.tokenAvailable).toBe(1n);
});

test('the delay between investments is exact to the slot', () => {
  const last = exampleVaultContext.time.slot - 10n;
  const waiting = withAllocation({ ...exampleVault, minInvestDelaySlots: 11n }, RESERVE_A, {
    lastInvestSlot: toSlot(last),
  });
  expect(
    programErrorName(catchError(() => invest(waiting, exampleVaultContext, into(RESERVE_A)))),
  ).toBe('InvestTooSoon');
  const due = { ...waiting, minInvestDelaySlots: 10n };
  expect(
    programErrorName(catchError(() => invest(due, exampleVaultContext, into(RESERVE_A)))),
  ).toBeUndefined();
  const never = { ...waiting, minInvestDelaySlots: U64_MAX };
  expect(catchError(() => invest(never, exampleVaultContext, into(RESERVE_A)))?.code).toBe(
    'MATH_OVERFLOW',
  );
});

test('a move must exceed the minimum', () => {
  const least = (minInvestAmount: bigint) => () =>
    invest(
      { ...exampleVault, minInvestAmount: toLamports(minInvestAmount) },
      exampleVaultContext,
      into(RESERVE_B),
    );
  expect(programErrorName(catchError(least(1_000_000n)))).toBe('InvestAmountBelowMinimum');
  expect(programErrorName(catchError(least(999_999n)))).toBeUndefined();
});

test('a vault at its targets moves nothing', () => {
  const vault = vaultWith({ tokenAvailable: toLamports(5n) }, [
    { reserve: RESERVE_A, targetAllocationWeight: 1n, tokenAllocationCap: toLamports(0n) },
  ]);
  expect(
    programErrorName(catchError(() => invest(vault, exampleVaultContext, into(RESERVE_A)))),
  ).toBe('InvestAmountBelowMinimum');
});

test('a vault that requires the whitelist adds only to whitelisted reserves, but withdraws from any', () => {
  const strict = { ...exampleVault, allowInvestInWhitelistedReservesOnly: 1 };
  const run = (reserve: Address, whitelisted: boolean) => () =>
    invest(strict, exampleVaultContext, { reserve, whitelisted });
  expect(programErrorName(catchError(run(RESERVE_B, false)))).toBe('ReserveNotWhitelisted');
  expect(programErrorName(catchError(run(RESERVE_B, true)))).toBeUndefined();
  expect(programErrorName(catchError(run(RESERVE_A, false)))).toBeUndefined();
});

test('a reserve without an allocation throws', () => {
  expect(
    programErrorName(
      catchError(() => invest(exampleVault, exampleVaultContext, into(repeatedByteAddress(9)))),
    ),
  ).toBe('ReserveNotPartOfAllocations');
});

test('a plan has the next investment of each reserve, or its rejection', () => {
  const vault = { ...exampleVault, minInvestAmount: toLamports(1_000_000n) };
  const plan = planInvest(vault, exampleVaultContext, new Set());
  expect(plan.map(({ reserve, target }) => [reserve, target])).toEqual([
    [RESERVE_A, targets.a],
    [RESERVE_B, targets.b],
  ]);
  const [a, b] = plan.map(({ outcome }) => outcome);
  expect(a).toEqual({
    kind: 'moves',
    effects: invest(vault, exampleVaultContext, into(RESERVE_A)),
  });
  expect(b?.kind === 'rejected' && b.error.context.name).toBe('InvestAmountBelowMinimum');
});

test('property: an investment does not reduce the AUM, after the payment of the lost lamport', () => {
  const cases = fc.record({
    available: fc.bigInt(0n, 1n << 30n),
    ctokens: fc.bigInt(0n, 1n << 30n),
    cap: fc.bigInt(0n, 1n << 31n),
    supply: fc.bigInt(1n << 90n, 1n << 93n).map(sfFromBits),
  });
  assertProperty(
    fc.property(cases, ({ available, ctokens, cap, supply }) => {
      const exchange = { totalSupply: supply, mintTotalSupply: 1n << 30n };
      const context = { ...exampleVaultContext, exchanges: new Map([[RESERVE_A, exchange]]) };
      const vault = vaultWith({ tokenAvailable: toLamports(available), sharesIssued: 1n }, [
        {
          reserve: RESERVE_A,
          targetAllocationWeight: 1n,
          tokenAllocationCap: toLamports(cap),
          ctokenAllocation: ctokens,
        },
      ]);
      const run = () => invest(vault, context, into(RESERVE_A));
      fc.pre(programErrorName(catchError(run)) === undefined);
      const moved = run();
      const liquidity = sfFromInt(moved.liquidityAmount);
      const added = moved.direction === 'add';
      const after = new Map([
        [
          RESERVE_A,
          {
            totalSupply: added ? addSf(supply, liquidity) : subSf(supply, liquidity),
            mintTotalSupply: added
              ? exchange.mintTotalSupply + moved.collateralAmount
              : exchange.mintTotalSupply - moved.collateralAmount,
          },
        ],
      ]);
      const total = (some: VaultState, exchanges: typeof context.exchanges): bigint =>
        sfFromInt(some.tokenAvailable) + vaultHoldings(some, exchanges).investedTotal;
      // One conversion was truncated to 60 bits.
      expect(total(moved.vault, after) + 1n).toBeGreaterThanOrEqual(
        total(vault, context.exchanges),
      );
    }),
    100,
  );
});

test('the example of B matches the lending program for a million', () => {
  expect((1_000_000n * EXCHANGE_B.mintTotalSupply) / (EXCHANGE_B.totalSupply >> 60n)).toBe(
    1_400_001n,
  );
});
