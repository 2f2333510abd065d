import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { kvaultReleases, NEWEST_VAULT_RULES } from '../releases.ts';
import { type DepositOffer, depositToVault } from './deposit-to-vault.ts';

/** Values of an independent integer model of the program, written from a description of its rules. No fees are due. */
const NOW = toUnixSeconds(1_700_000_000n);
const [{ rules: OLDEST }] = kvaultReleases;

/** 999,500,000,000⅓ lamports: the first reserve holds the part, and three reserves cost 100 each. */
const AUM = 1_152_345_043_854_927_859_680_202_282_325n;
const one = { totalSupply: sfFromInt(1n), mintTotalSupply: 1n };
const crankReserves = [1, 2, 3].map(repeatedByteAddress);

function deposit(cap: bigint, offer: DepositOffer, rules = NEWEST_VAULT_RULES) {
  const vault = vaultWith(
    {
      sharesIssued: 950_000_000_000n,
      tokenAvailable: toLamports(999_500_000_001n),
      pendingFeesSf: sfFromBits(sfFromInt(999_500_000_001n) - AUM),
      lastFeeChargeTimestamp: NOW,
      minDepositAmount: toLamports(1_000_000n),
      crankFundFeePerReserve: toLamports(100n),
      depositCap: toLamports(cap),
    },
    crankReserves.map((reserve) => ({
      reserve,
      targetAllocationWeight: 1n,
      tokenAllocationCap: toLamports(1n),
    })),
  );
  const exchanges = new Map(crankReserves.map((reserve) => [reserve, one]));
  const { vault: _, ...effects } = depositToVault(
    vault,
    { exchanges, time: { slot: toSlot(1n), unix: NOW }, rules },
    offer,
  );
  return effects;
}

const TRILLION = 10n ** 12n;
const uncut = {
  sharesToMint: 1_900_950_190n,
  tokenToDeposit: 1_999_999_700n,
  crankFundsToDeposit: 300n,
  isCut: false,
};
const offer = { maxAmount: 2_000_000_000n };

test('D1: the cap cuts', () => {
  expect(deposit(TRILLION, offer)).toEqual({
    sharesToMint: 475_237_617n,
    tokenToDeposit: 499_999_999n,
    crankFundsToDeposit: 300n,
    isCut: true,
  });
});

test('D1: a release without caps takes all', () => {
  expect(deposit(TRILLION, offer, OLDEST)).toEqual(uncut);
});

test.each([
  ['D2', 999_500_500_000n],
  ['D3', 999_500_000_000n],
])('%s: the room is below the minimum', (_, cap) => {
  const error = catchError(() => deposit(cap, offer));
  expect(programErrorName(error)).toBe('VaultDepositCapReached');
});

test('D4: a small offer is below the minimum for itself', () => {
  const error = catchError(() => deposit(TRILLION, { maxAmount: 500_300n }));
  expect(programErrorName(error)).toBe('DepositAmountBelowMinimum');
});

test('D5: the largest cap is none', () => {
  expect(deposit(U64_MAX, offer)).toEqual(uncut);
});

test('D6: an offer of exactly the room is not cut', () => {
  expect(deposit(TRILLION, { maxAmount: 500_000_299n })).toEqual({
    sharesToMint: 475_237_617n,
    tokenToDeposit: 499_999_999n,
    crankFundsToDeposit: 300n,
    isCut: false,
  });
});
