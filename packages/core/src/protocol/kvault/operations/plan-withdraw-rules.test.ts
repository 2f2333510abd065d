import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assertProperty } from '../../../../../../test/support/properties/assert-property.ts';
import {
  exampleVaultContext,
  NO_PENALTY,
  RESERVE_A,
  RESERVE_B,
  vaultWith,
} from '../../../../../../test/support/vaults/example-vault.ts';
import type { Address } from '../../../base/encoding/address.ts';
import { toLamports, U64_MAX } from '../../../base/numbers/lamports.ts';
import { sfFromInt, subSf } from '../../../base/numbers/scaled-fraction.ts';
import { kvaultReleases, type VaultRules } from '../releases.ts';
import { planWithdraw, type WithdrawPlan } from './plan-withdraw.ts';
import type { VaultContext } from './refresh-vault.ts';
import { withdrawFromVault } from './withdraw.ts';

const MINTED = 1_000_000_000_000n;

/** Reserve A cannot pay all that the vault owns in it. Exchange rates are 1.05 to 1.5. */
const limitedVaults = fc
  .record({
    supplies: fc.tuple(rateOf(), rateOf()),
    ctokens: fc.tuple(fc.bigInt(1_000n, 1_000_000n), fc.bigInt(1_000n, 1_000_000n)),
    free: fc.bigInt(100n, 1_000n),
    available: fc.bigInt(0n, 1_000n),
    price: fc.bigInt(900n, 1_100n),
    part: fc.bigInt(1n, 1_000n),
    bps: fc.constantFrom(0n, 0n, 50n),
  })
  .map(({ supplies, ctokens, available, price, part, bps, free }) => {
    const [a, b] = supplies;
    const worth = (ctokens[0] * a + ctokens[1] * b) / MINTED + available;
    const sharesIssued = (worth * price) / 1_000n + 1n;
    const vault = vaultWith(
      {
        tokenAvailable: toLamports(available),
        sharesIssued,
        withdrawalPenaltyBps: bps,
        lastFeeChargeTimestamp: exampleVaultContext.time.unix,
      },
      [
        { reserve: RESERVE_A, ctokenAllocation: ctokens[0] },
        { reserve: RESERVE_B, ctokenAllocation: ctokens[1] },
      ],
    );
    const exchanges = new Map(
      (
        [
          [RESERVE_A, a],
          [RESERVE_B, b],
        ] as const
      ).map(([reserve, supply]) => [
        reserve,
        { totalSupply: sfFromInt(supply), mintTotalSupply: MINTED },
      ]),
    );
    const liquid = new Map([
      [RESERVE_A, toLamports(free)],
      [RESERVE_B, toLamports((ctokens[1] * b) / MINTED / 2n)],
    ]);
    const shares = part === 1_000n ? U64_MAX : (sharesIssued * part) / 1_000n + 1n;
    return { vault, exchanges, liquid, shares, sharesIssued };
  });

function rateOf(): fc.Arbitrary<bigint> {
  return fc.bigInt((MINTED * 105n) / 100n, (MINTED * 150n) / 100n);
}

type LimitedVault = typeof limitedVaults extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs the steps of a plan with the program's rules. Returns what each reserve had to pay. */
function run(
  { steps }: WithdrawPlan,
  { vault, exchanges, sharesIssued }: LimitedVault,
  rules: VaultRules,
) {
  let state = { vault, balance: sharesIssued };
  let context: VaultContext = { ...exampleVaultContext, exchanges, rules };
  const released = new Map<Address, bigint>();
  for (const { reserve, shares } of steps) {
    const withdrawal = { shares, sharesBalance: state.balance, globalConfig: NO_PENALTY, reserve };
    const effects = withdrawFromVault(state.vault, context, withdrawal);
    state = { vault: effects.vault, balance: state.balance - effects.sharesToBurn };
    if (reserve === undefined) continue;
    const { investedLiquidityToDisinvest: paid, investedToDisinvestCtokens: burned } = effects;
    released.set(reserve, (released.get(reserve) ?? 0n) + paid);
    const old = context.exchanges.get(reserve);
    if (old === undefined) throw new Error('no rate');
    const rate = {
      totalSupply: subSf(old.totalSupply, sfFromInt(paid)),
      mintTotalSupply: old.mintTotalSupply - burned,
    };
    context = { ...context, exchanges: new Map([...context.exchanges, [reserve, rate]]) };
  }
  return { released, burned: sharesIssued - state.balance };
}

test.each(kvaultReleases)('property: release $version accepts the plan for it', ({ rules }) => {
  assertProperty(
    fc.property(limitedVaults, (limited) => {
      const { vault, exchanges, liquid: freeLiquidity, shares, sharesIssued } = limited;
      const plan = planWithdraw(
        vault,
        { ...exampleVaultContext, exchanges, rules },
        { shares, sharesBalance: sharesIssued, globalConfig: NO_PENALTY, freeLiquidity },
      );
      const { released, burned } = run(plan, limited, rules);
      for (const [reserve, paid] of released) {
        expect(paid).toBeLessThanOrEqual(freeLiquidity.get(reserve) ?? 0n);
      }
      expect(burned).toBeGreaterThan(0n);
      const requested = shares < sharesIssued ? shares : sharesIssued;
      expect(burned).toBe(requested - plan.unburnedShares);
    }),
    300,
  );
});
