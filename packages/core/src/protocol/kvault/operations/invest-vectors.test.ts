import { describe, expect, test } from 'vitest';
import { catchError, programErrorName } from '../../../../../../test/support/errors/catch-error.ts';
import {
  exampleVault,
  exampleVaultContext,
  RESERVE_A,
  RESERVE_B,
  repeatedByteAddress,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import {
  BELOW_60_BITS,
  exchangeOf,
  L0,
  THREE_PER_TWO,
  type VectorRate,
} from '../../../../../../test/support/vaults/vector-rates.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromBits, sfFromInt } from '../../../base/numbers/scaled-fraction.ts';
import { toSlot, toUnixSeconds } from '../../../base/time.ts';
import { collateralToLiquiditySf } from '../../klend/math/exact-ratio.ts';
import { vaultState } from '../layout/vault-state.ts';
import { allocationTargets } from '../math/allocation-targets.ts';
import { kvaultReleases, NEWEST_VAULT_RULES, type VaultRules } from '../releases.ts';
import { type Investment, invest, investRefreshed } from './invest.ts';
import type { VaultContext } from './refresh-vault.ts';

/** Values of an independent integer model of the program, written from a description of its rules. */
const [{ rules: OLDEST }] = kvaultReleases;

const contextOf = (rate: VectorRate, rules: VaultRules): VaultContext => ({
  exchanges: new Map([[RESERVE_A, exchangeOf(rate)]]),
  time: { slot: toSlot(200n), unix: toUnixSeconds(1_700_000_000n) },
  rules,
});

describe('investments', () => {
  type InvestVector = {
    readonly rate: VectorRate;
    readonly available: bigint;
    readonly crank: bigint;
    readonly ctokens: bigint;
    readonly weight: bigint;
    readonly target: bigint;
    readonly minimum: bigint;
    readonly last?: bigint;
    readonly delay?: bigint;
    readonly maxAmount?: bigint;
    readonly whitelistOnly?: boolean;
  };

  /** With the target of the vector instead of one that the weights give. */
  function move(vector: InvestVector, rules: VaultRules = NEWEST_VAULT_RULES) {
    const { rate, available, crank, ctokens, last = 100n, delay = 10n } = vector;
    const vault = vaultWith(
      {
        tokenAvailable: toLamports(available),
        availableCrankFunds: toLamports(crank),
        minInvestAmount: toLamports(vector.minimum),
        minInvestDelaySlots: delay,
        allowInvestInWhitelistedReservesOnly: vector.whitelistOnly === true ? 1 : 0,
      },
      [
        {
          reserve: RESERVE_A,
          ctokenAllocation: ctokens,
          targetAllocationWeight: vector.weight,
          tokenTargetAllocationSf: sfFromBits(vector.target),
          lastInvestSlot: toSlot(last),
        },
      ],
    );
    const context = contextOf(rate, rules);
    const liquidity = collateralToLiquiditySf(exchangeOf(rate), ctokens);
    const holdings = {
      available: vault.tokenAvailable,
      invested: [{ reserve: RESERVE_A, ctokenAllocation: ctokens, liquidity }],
      investedTotal: liquidity,
    };
    const investment: Investment = {
      reserve: RESERVE_A,
      whitelisted: false,
      ...(vector.maxAmount !== undefined && { maxAmount: vector.maxAmount }),
    };
    const refreshed = { vault, holdings, aum: liquidity };
    const { vault: after, ...moved } = investRefreshed(refreshed, context, investment);
    const [allocation] = after.vaultAllocationStrategy;
    return [
      moved.direction,
      moved.liquidityAmount,
      moved.collateralAmount,
      moved.roundingLoss,
      after.tokenAvailable,
      allocation?.ctokenAllocation,
      after.availableCrankFunds,
      allocation?.lastInvestSlot,
    ];
  }

  const i1: InvestVector = {
    rate: L0,
    available: 7n,
    crank: 5n,
    ctokens: 450n,
    weight: 0n,
    target: 0n,
    minimum: 1_000n,
  };
  const i2 = { ...i1, ctokens: 9_000_000_000n, maxAmount: 2_000_000n };
  const i4: InvestVector = {
    ...i1,
    available: 50_000_000n,
    ctokens: 9_000_000_000n,
    weight: 50n,
    target: 20_000_000_000n << 60n,
  };
  const i3 = { ...i4, maxAmount: 2_000_000n };
  const i5: InvestVector = {
    rate: BELOW_60_BITS,
    available: 19n,
    crank: 0n,
    ctokens: 0n,
    weight: 1n,
    target: 19n << 60n,
    minimum: 0n,
    last: 0n,
    delay: 0n,
  };
  const i6 = { ...i4, available: 500n, whitelistOnly: true };
  const errorOf = (vector: InvestVector, rules?: VaultRules) =>
    programErrorName(catchError(() => move(vector, rules)));

  test('I1: a reserve without weight is emptied below the minimum, not before 2.2', () => {
    expect(move(i1)).toEqual(['subtract', 500n, 450n, 0n, 508n, 0n, 4n, 200n]);
    expect(errorOf(i1, OLDEST)).toBe('InvestAmountBelowMinimum');
  });

  test('I2: a maximum limits the emptying', () => {
    expect(move(i2)).toEqual([
      'subtract',
      1_999_999n,
      1_798_228n,
      1n,
      2_000_007n,
      8_998_201_772n,
      5n,
      100n,
    ]);
  });

  test('I3: a maximum limits an addition', () => {
    expect(move(i3)).toEqual([
      'add',
      2_000_000n,
      1_798_228n,
      1n,
      48_000_001n,
      9_001_798_228n,
      5n,
      100n,
    ]);
  });

  test.each([NEWEST_VAULT_RULES, OLDEST])('I4: an addition has not changed', (rules) => {
    expect(move(i4, rules)).toEqual([
      'add',
      50_000_000n,
      44_955_718n,
      0n,
      1n,
      9_044_955_718n,
      4n,
      200n,
    ]);
  });

  test('I5: a fraction below 60 bits costs a lamport since 2.2', () => {
    expect(move(i5)).toEqual(['add', 11n, 1n, 1n, 9n, 1n, 0n, 200n]);
    expect(move(i5, OLDEST)).toEqual(['add', 10n, 1n, 0n, 9n, 1n, 0n, 200n]);
  });

  test('I6: the whitelist is checked before the minimum since 2.2', () => {
    expect(errorOf(i6)).toBe('ReserveNotWhitelisted');
    expect(errorOf(i6, OLDEST)).toBe('InvestAmountBelowMinimum');
  });
});

test('I7: a maximum of zero is rejected', () => {
  const investment = { reserve: RESERVE_A, whitelisted: true, maxAmount: 0n };
  const error = catchError(() => invest(exampleVault, exampleVaultContext, investment));
  expect(programErrorName(error)).toBe('MaxInvestAmountMustBeGreaterThanZero');
});

describe('targets', () => {
  test('T1: caps in lamports and in cTokens', () => {
    const [a, b, c] = [RESERVE_A, RESERVE_B, repeatedByteAddress(0xc)];
    const vault = vaultWith({ unallocatedWeight: 20n }, [
      {
        reserve: a,
        targetAllocationWeight: 70n,
        tokenAllocationCap: toLamports(U64_MAX),
        ctokenAllocationCap: 1_000_000_000n,
      },
      {
        reserve: b,
        targetAllocationWeight: 30n,
        tokenAllocationCap: toLamports(8_000_000_000n),
      },
      { reserve: c, targetAllocationWeight: 10n, ctokenAllocationCap: 5n },
    ]);
    const exchanges = new Map([
      [a, exchangeOf(L0)],
      [b, exchangeOf(THREE_PER_TWO)],
      [c, exchangeOf(THREE_PER_TWO)],
    ]);
    const aum = sfFromBits(11_529_215_046_068_469_760_000_000_007n);
    expect([...allocationTargets(vault, aum, exchanges).values()]).toEqual([
      1_282_285_713_765_233_800_276_632_552n,
      8_325_393_491_291_824_333_056_700_788n,
      0n,
    ]);
  });

  test('T2: a cap whose value exceeds 128 bits is one of U64_MAX lamports', () => {
    const vault = vaultWith({}, [
      {
        reserve: RESERVE_A,
        targetAllocationWeight: 1n,
        tokenAllocationCap: toLamports(U64_MAX),
        ctokenAllocationCap: U64_MAX - 1n,
      },
    ]);
    const exchanges = new Map([[RESERVE_A, exchangeOf({ L: 17n << 60n, S: 1n })]]);
    const aum = sfFromInt(U64_MAX);
    expect([...allocationTargets(vault, aum, exchanges).values()]).toEqual([aum]);
  });
});

test('the permissioning authority is at byte 58840, and the padding after it at 58872', () => {
  const { permissioningAuthority, padding3 } = vaultState.offsets;
  expect([permissioningAuthority, padding3]).toEqual([58_840, 58_872]);
  expect(vaultState.size).toBe(62_552);
});
