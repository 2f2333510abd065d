import type { Address } from '#core/base/encoding/address.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import { lendingMarket } from '#core/protocol/klend/layout/lending-market.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { oraclePrices } from '#core/protocol/scope/layout/oracle-prices.ts';
import type { Season } from '#core/views/rewards/seasons/season.ts';
import type { ClusterStep } from '#localnet/simulation/cluster-step.ts';
import { referenceEligible } from './golden-season.ts';
import type { ReferenceTime } from './reference-accrual.ts';
import {
  type Decimal50,
  type ReferenceLoan,
  type ReferenceReserve,
  referenceLoan,
  referenceReserve,
  toDecimal50,
} from './reference-lending.ts';

type Reward = Season['rewards'][number];

type Sample = {
  readonly at: bigint;
  /** In USD, by reward and owner. */
  readonly eligible: ReadonlyMap<Reward, ReadonlyMap<Address, Decimal50>>;
  /** Vaults with issued shares. */
  readonly shared: ReadonlySet<Address>;
};

const HOUR = 3_600n;

/** The season rewards of all loans per hour, computed only from accounts. */
export class ReferenceSeason {
  readonly #rewards: readonly Reward[];
  readonly #vaults: readonly Address[];
  readonly #accounts = new Map<Address, RawAccount>();
  readonly #samples: Sample[] = [];

  constructor(rewards: readonly Reward[]) {
    this.#rewards = rewards.filter(({ vault }) => vault === undefined);
    this.#vaults = rewards.flatMap(({ vault }) => vault ?? []);
  }

  observe({ at, slots, sample }: ClusterStep): void {
    for (const { address, account } of slots.flatMap(({ accounts }) => accounts)) {
      if (account === undefined) this.#accounts.delete(address);
      else this.#accounts.set(address, account);
    }
    if (sample !== undefined) {
      const shared = new Set(this.#vaults.filter((vault) => this.#hasShares(vault)));
      this.#samples.push({ at: at.unix, eligible: this.#eligible(at), shared });
    }
  }

  /** Tokens by owner and in total, for completed hours. */
  earned(reward: Reward, now: bigint): { byOwner: Map<Address, Decimal50>; total: Decimal50 } {
    const byOwner = new Map<Address, Decimal50>();
    let total = 0n;
    for (const { sample, tokens } of this.#hours(reward, now)) {
      const usd = sample.eligible.get(reward) ?? new Map<Address, Decimal50>();
      const totalUsd = [...usd.values()].reduce((sum, value) => sum + value, 0n);
      if (totalUsd === 0n) continue;
      total += tokens;
      for (const [owner, own] of usd) {
        byOwner.set(owner, (byOwner.get(owner) ?? 0n) + (tokens * own) / totalUsd);
      }
    }
    return { byOwner, total };
  }

  /** Total tokens for the shareholders of the reward's vault. */
  shareRewards(reward: Reward, now: bigint): Decimal50 {
    return this.#hours(reward, now)
      .filter(({ sample }) => reward.vault !== undefined && sample.shared.has(reward.vault))
      .reduce((sum, { tokens }) => sum + tokens, 0n);
  }

  /** The rewards between the last samples of completed hours. */
  #hours(reward: Reward, now: bigint): { sample: Sample; tokens: Decimal50 }[] {
    const closed = this.#samples.filter(({ at }) => at <= now - (now % HOUR));
    const { numerator, denominator } = reward.tokensPerSecond;
    return closed.map((sample, i) => {
      const from = sample.at > reward.from ? sample.at : reward.from;
      const to = closed[i + 1]?.at ?? now;
      const seconds = to > from ? to - from : 0n;
      return { sample, tokens: toDecimal50(seconds * numerator, denominator) };
    });
  }

  #hasShares(address: Address): boolean {
    const account = this.#accounts.get(address);
    return account !== undefined && vaultState.decode(account).sharesIssued > 0n;
  }

  #eligible(at: ReferenceTime): Sample['eligible'] {
    const loans = this.#loans(at);
    return new Map(
      this.#rewards.map((reward) => {
        const usd = new Map<Address, Decimal50>();
        for (const { owner, loan } of loans) {
          const own = referenceEligible(loan, reward);
          if (own > 0n) usd.set(owner, (usd.get(owner) ?? 0n) + own);
        }
        return [reward, usd];
      }),
    );
  }

  #loans(at: ReferenceTime): { owner: Address; loan: ReferenceLoan }[] {
    const every = [...this.#accounts].map(([address, account]) => ({ address, account }));
    const reserves = new Map<Address, ReferenceReserve>();
    for (const { address, account } of every.filter((each) => reserve.matches(each.account))) {
      const fields = reserve.decode(account);
      const feed = this.#accounts.get(fields.config.tokenInfo.scopeConfiguration.priceFeed);
      if (feed === undefined || fields.collateral.mintTotalSupply === 0n) continue;
      const { prices } = oraclePrices.decode(feed);
      reserves.set(address, referenceReserve(fields, { ...at, slotMs: 400n, prices }));
    }
    return every
      .filter(({ account }) => obligation.matches(account))
      .map(({ account }) => {
        const fields = obligation.decode(account);
        const held = this.#accounts.get(fields.lendingMarket);
        if (held === undefined) throw new Error('no market');
        const market = lendingMarket.decode(held);
        return { owner: fields.owner, loan: referenceLoan(fields, { market, reserves }) };
      });
  }
}
