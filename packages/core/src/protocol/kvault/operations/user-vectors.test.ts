import { describe, expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  NO_PENALTY,
  RESERVE_A,
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import {
  exchangeOf,
  L0,
  THREE_PER_TWO,
  type VectorRate,
} from '../../../../../../test/support/vaults/vector-rates.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { collateralToLiquiditySf } from '../../klend/math/ctoken-exchange.ts';
import { kvaultReleases, NEWEST_VAULT_RULES } from '../releases.ts';
import type { VaultRules } from '../vault-rules.ts';
import { type DepositOffer, depositToVault } from './deposit-to-vault.ts';
import { redeemInKind } from './redeem-in-kind.ts';
import type { VaultContext } from './refresh-vault.ts';
import { withdrawFromVault } from './withdraw-from-vault.ts';

/**
 * Values of an independent integer model of the program, written from a description of its rules. No fees are due in
 * any of them: the AUM is what the vault had at its last charge, in this second.
 */
const NOW = toUnixSeconds(1_700_000_000n);
const [{ rules: OLDEST }] = kvaultReleases;

const contextOf = (rate: VectorRate, rules: VaultRules, slot = 200n): VaultContext => ({
  exchanges: new Map([[RESERVE_A, exchangeOf(rate)]]),
  time: { slot: toSlot(slot), unix: NOW },
  rules,
});

/** Pending fees make the AUM what the vector says, whatever the vault holds. */
function vaultOf(
  { aum, issued, available, owned, rate }: StateVector,
  changes: Parameters<typeof vaultWith>[0] = {},
) {
  const invested = collateralToLiquiditySf(exchangeOf(rate), owned);
  return vaultWith(
    {
      sharesIssued: issued,
      tokenAvailable: toLamports(available),
      pendingFeesSf: sfFromBits(sfFromInt(available) + invested - aum),
      lastFeeChargeTimestamp: NOW,
      ...changes,
    },
    [{ reserve: RESERVE_A, ctokenAllocation: owned }],
  );
}

type StateVector = {
  readonly aum: bigint;
  readonly issued: bigint;
  readonly available: bigint;
  readonly owned: bigint;
  readonly rate: VectorRate;
};

describe('deposits', () => {
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
});

describe('withdrawals', () => {
  const w1 = {
    rate: L0,
    aum: 11_540_430_241_731_336_066_436_399_915n,
    issued: 9_500_000_000n,
    available: 1_000n,
    owned: 9_000_000_000n,
    shares: 1_000_000_000n,
  };
  const w3 = { ...w1, available: 700_000_000n, shares: 2_000_000_001n, bps: 10n, lamports: 500n };
  const w2 = {
    rate: THREE_PER_TWO,
    aum: 3_000_000n << 60n,
    issued: 3_000_000n,
    available: 0n,
    owned: 2_000_000n,
    shares: 300_000n,
  };
  const w4 = {
    rate: { L: (10n ** 12n) << 60n, S: 10n ** 12n },
    aum: 5_000_000n << 60n,
    issued: 5_000_000n,
    available: 0n,
    owned: 5_000_000n,
    shares: 1_000_000n,
  };

  type Withdrawal = StateVector & {
    readonly shares: bigint;
    readonly bps?: bigint;
    readonly lamports?: bigint;
  };

  function withdraw(vector: Withdrawal, rules: VaultRules) {
    const { shares, issued, bps = 0n, lamports = 0n, rate } = vector;
    const penalty = {
      withdrawalPenaltyBps: bps,
      withdrawalPenaltyLamports: toLamports(lamports),
    };
    const effects = withdrawFromVault(vaultOf(vector, penalty), contextOf(rate, rules), {
      shares,
      sharesBalance: issued,
      globalConfig: NO_PENALTY,
      reserve: RESERVE_A,
    });
    return {
      c: effects.investedToDisinvestCtokens,
      released: effects.investedLiquidityToDisinvest,
      paid: effects.investedLiquidityToSendToUser,
      part: effects.availableToSendToUser,
      burned: effects.sharesToBurn,
      after: effects.vault.tokenAvailable,
    };
  }

  test.each([
    {
      id: 'W1',
      vector: w1,
      expected: [947_355_933n, 1_053_654_540n, 1_053_654_539n, 1_000n, 1_000_000_000n, 1n],
      before: [947_355_934n, 1_053_654_542n, 1_053_654_539n, 1_000n, 1_000_000_000n, 3n],
    },
    {
      id: 'W2',
      vector: w2,
      expected: [200_000n, 300_000n, 300_000n, 0n, 300_000n, 0n],
      before: [200_001n, 300_001n, 299_999n, 0n, 300_000n, 2n],
    },
    {
      id: 'W4',
      vector: w4,
      expected: [1_000_000n, 1_000_000n, 1_000_000n, 0n, 1_000_000n, 0n],
      before: [1_000_001n, 1_000_001n, 1_000_000n, 0n, 1_000_000n, 1n],
    },
  ])('$id: takes the cTokens that it needs, one more before 2.2', (row) => {
    expect(Object.values(withdraw(row.vector, NEWEST_VAULT_RULES))).toEqual(row.expected);
    expect(Object.values(withdraw(row.vector, OLDEST))).toEqual(row.before);
  });

  test('W3: available tokens, a reserve and a penalty', () => {
    expect(withdraw(w3, NEWEST_VAULT_RULES)).toMatchObject({
      c: 1_263_438_894n,
      released: 1_405_203_769n,
      paid: 1_405_203_768n,
      after: 1n,
    });
    expect(withdraw(w3, OLDEST)).toMatchObject({
      c: 1_263_438_895n,
      released: 1_405_203_770n,
      paid: 1_405_203_768n,
      after: 2n,
    });
  });

  const redeem = (vector: Withdrawal, rules: VaultRules) =>
    redeemInKind(
      vaultOf(vector, { withdrawalPenaltyBps: vector.bps ?? 0n }),
      contextOf(vector.rate, rules),
      {
        shares: vector.shares,
        sharesBalance: vector.issued,
        globalConfig: NO_PENALTY,
        reserve: RESERVE_A,
      },
    );

  test.each([NEWEST_VAULT_RULES, OLDEST])('R1: redeeming in kind has not changed', (rules) => {
    expect(redeem({ ...w1, bps: 25n }, rules)).toMatchObject({
      ctokensToSendToUser: 944_988_439n,
      actualLiquidityValue: 1_211_745_175_003_009_101_393_452_764n,
      sharesToBurn: 1_000_000_000n,
    });
  });

  test('R2: cTokens of a reserve without liquidity are worth one lamport, nothing before 2.2', () => {
    const vector = {
      rate: { L: 0n, S: 1_000n },
      aum: 50n << 60n,
      issued: 50n,
      available: 0n,
      owned: 1_000n,
      shares: 10n,
    };
    expect(redeem(vector, NEWEST_VAULT_RULES)).toMatchObject({
      ctokensToSendToUser: 10n,
      actualLiquidityValue: 10n << 60n,
      sharesToBurn: 10n,
    });
    const error = catchError(() => redeem(vector, OLDEST));
    expect(programErrorName(error)).toBe('WithdrawResultsInZeroShares');
  });
});
