import fc from 'fast-check';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { sfFromInt } from '#core/base/numbers/scaled-fraction.ts';
import { toUnixSeconds } from '#core/base/time.ts';
import type { AmountOrAll } from '#core/builders/build.ts';
import { NOW } from '../lending/lending-accounts.ts';
import type { ExampleVaultOptions, ReserveHolding } from '../vaults/example-vault-accounts.ts';

export type RandomWithdrawal = {
  readonly vault: ExampleVaultOptions;
  readonly unstaked: bigint;
  readonly staked: bigint;
  readonly shares: AmountOrAll;
};

const part = fc.bigInt(0n, 1n << 20n);
const partOf = (whole: bigint, parts: bigint): bigint => (whole * parts) >> 20n;

/** A reserve's available and borrowed tokens, its cToken supply, and the vault's share of that. */
const holding: fc.Arbitrary<ReserveHolding & { readonly worth: bigint }> = fc
  .record({
    available: fc.oneof(fc.constant(0n), fc.bigInt(0n, 1n << 40n)),
    borrowed: fc.bigInt(1n, 1n << 40n),
    minted: part,
    ctokens: fc.oneof(fc.constant(0n), part, fc.constant(1n << 20n)),
    rateBps: fc.integer({ min: 0, max: 20_000 }),
    queued: fc.oneof({ weight: 4, arbitrary: fc.constant(0n) }, part),
  })
  .map(({ available, borrowed, rateBps, ...parts }) => {
    const supply = available + borrowed;
    const minted = partOf(supply, parts.minted) + 1n;
    const ctokens = partOf(minted, parts.ctokens);
    const queued = partOf(minted - ctokens, parts.queued);
    const worth = (ctokens * supply) / minted;
    return { available, borrowed, minted, ctokens, queued, rateBps, worth };
  });

/**
 * Vaults of one to eight reserves, a wallet with unstaked and staked shares, and the shares to
 * withdraw.
 */
export const randomWithdrawals: fc.Arbitrary<RandomWithdrawal> = fc
  .record({
    holdings: fc.array(holding, { minLength: 1, maxLength: 8 }),
    idle: fc.oneof(fc.constant(0n), fc.bigInt(0n, 1n << 40n)),
    /** Shares for 1024 lamports. */
    price: fc.bigInt(256n, 4096n),
    unstaked: fc.oneof(fc.constant(0n), part),
    staked: fc.oneof(fc.constant(0n), part),
    requested: fc.oneof(fc.constant('all' as const), part),
    bps: fc.constantFrom(0n, 0n, 50n),
    lamports: fc.constantFrom(0n, 0n, 10n),
    minimum: fc.constantFrom(0n, 0n, 1_000n),
    fees: fc.constantFrom(0n, 200n),
    isSol: fc.boolean(),
  })
  .map(({ holdings, idle, price, requested, bps, lamports, minimum, fees, isSol, ...parts }) => {
    const worth = holdings.reduce((sum, each) => sum + each.worth, idle);
    const sharesIssued = (worth * price) / 1024n + 1n;
    const unstaked = partOf(sharesIssued, parts.unstaked);
    const staked = partOf(sharesIssued - unstaked, parts.staked);
    const shares = requested === 'all' ? requested : partOf(unstaked + staked, requested);
    const vault: ExampleVaultOptions = {
      isSol,
      holdings,
      farm: {},
      penalty: { bps, lamports },
      vault: {
        tokenAvailable: toLamports(idle),
        sharesIssued,
        minWithdrawAmount: toLamports(minimum),
        managementFeeBps: fees,
        performanceFeeBps: fees,
        prevAumSf: sfFromInt(worth),
        lastFeeChargeTimestamp: toUnixSeconds(NOW - 86_400n),
      },
      holder: { loose: unstaked, staked, tokens: 0n },
    };
    return { vault, unstaked, staked, shares };
  })
  .filter(({ shares, unstaked, staked }) => shares !== 0n && unstaked + staked > 0n);
