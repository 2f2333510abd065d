import { expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  NO_PENALTY,
  RESERVE_A,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import {
  exchangeOf,
  L0,
  THREE_PER_TWO,
  type VectorRate,
} from '../../../../../../test/support/vaults/vector-rates.ts';
import { toLamports } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { collateralToLiquiditySf } from '../../klend/math/exact-ratio.ts';
import { kvaultReleases, NEWEST_VAULT_RULES, type VaultRules } from '../releases.ts';
import type { VaultContext } from './refresh-vault.ts';
import { redeemInKind, withdrawFromVault } from './withdraw.ts';

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
    prevAum: effects.vault.prevAumSf,
  };
}

test.each([
  {
    id: 'W1',
    vector: w1,
    expected: [
      947_355_933n,
      1_053_654_540n,
      1_053_654_539n,
      1_000n,
      1_000_000_000n,
      1n,
      10_325_648_111_217_196_228_241_752_875n,
    ],
    before: [
      947_355_934n,
      1_053_654_542n,
      1_053_654_539n,
      1_000n,
      1_000_000_000n,
      3n,
      10_325_648_111_217_196_228_241_752_875n,
    ],
  },
  {
    id: 'W2',
    vector: w2,
    expected: [200_000n, 300_000n, 300_000n, 0n, 300_000n, 0n, 3_112_888_062_438_486_835_200_000n],
    before: [200_001n, 300_001n, 299_999n, 0n, 300_000n, 2n, 3_112_888_062_438_486_835_200_000n],
  },
  {
    id: 'W4',
    vector: w4,
    expected: [
      1_000_000n,
      1_000_000n,
      1_000_000n,
      0n,
      1_000_000n,
      0n,
      4_611_686_018_427_387_904_000_000n,
    ],
    before: [
      1_000_001n,
      1_000_001n,
      1_000_000n,
      0n,
      1_000_000n,
      1n,
      4_611_686_018_427_387_904_000_000n,
    ],
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
    prevAum: 9_113_295_544_871_850_949_354_947_371n,
  });
  expect(withdraw(w3, OLDEST)).toMatchObject({
    c: 1_263_438_895n,
    released: 1_405_203_770n,
    paid: 1_405_203_768n,
    after: 2n,
    prevAum: 9_113_295_544_871_850_949_354_947_371n,
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
    vault: { prevAumSf: 10_328_685_066_728_326_965_042_947_151n },
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
    vault: { prevAumSf: 40n << 60n },
  });
  const error = catchError(() => redeem(vector, OLDEST));
  expect(programErrorName(error)).toBe('WithdrawResultsInZeroShares');
});
