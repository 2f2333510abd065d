import type { Address } from '#core/base/encoding/address.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import { over, sum, times, toWide, type Wide } from '../reference/reference-lending.ts';
import type { Ledger, Moment, Sample } from './account-ledger.ts';
import type { ReservesThen } from './ledger-reserves.ts';
import { countedIn, type VaultThen, vaultThen } from './ledger-vault.ts';
import { SharesThen } from './share-balances.ts';
import { readTrades, type Trade } from './vault-trades.ts';

/** USD and SOL that came in, each interval between two samples at the prices of its end. */
export type Worth = { readonly usd: Wide; readonly sol: Wide };

const COUNTERS = {
  interest: 'cumulativeEarnedInterestSf',
  managementFees: 'cumulativeMgmtFeesSf',
  performanceFees: 'cumulativePerfFeesSf',
} as const;

export type Sums = Readonly<
  Record<keyof typeof COUNTERS | 'farmRewards' | 'reserveRewards', Worth>
>;

const YEAR_SECONDS = 31_536_000n;

/** All vaults of a ledger at any time. */
export class VaultBook {
  readonly ledger: Ledger;
  readonly reserves: ReservesThen;
  readonly shares: SharesThen;
  readonly trades: readonly Trade[];
  readonly #made = new Map<string, VaultThen | undefined>();

  constructor(ledger: Ledger, reserves: ReservesThen) {
    this.ledger = ledger;
    this.reserves = reserves;
    this.shares = new SharesThen(ledger);
    this.trades = readTrades(ledger);
  }

  find(vault: Address, at: Moment): VaultThen | undefined {
    const key = `${vault} ${at.slot}`;
    if (!this.#made.has(key)) this.#made.set(key, vaultThen(this, vault, at));
    return this.#made.get(key);
  }

  at(vault: Address, at: Moment): VaultThen {
    const found = this.find(vault, at);
    if (found === undefined) throw new Error(`no vault ${vault}`);
    return found;
  }

  /** What a share was worth when it was traded: what was paid for it, or what the last sample has. */
  rateOf({ vault, shares, tokens, crank, unix }: Trade): Wide {
    const sample = this.ledger.sampleAt(unix);
    const then = sample && this.at(vault, sample);
    if (then === undefined) return 0n;
    if (tokens === undefined || shares === 0n) return then.tokensPerShare;
    const { tokenMintDecimals, sharesMintDecimals } = then.fields;
    return toWide((tokens - crank) * 10n ** sharesMintDecimals, shares * 10n ** tokenMintDecimals);
  }

  /** By the samples up to a moment. */
  sums(vault: Address, until: Moment): Sums {
    const samples = this.ledger.samples.filter(({ slot }) => slot <= until.slot);
    const worth = (added: (now: VaultThen, before: Step | undefined) => Wide): Worth => {
      let [usd, sol] = [0n, 0n];
      for (const [i, sample] of samples.entries()) {
        const now = this.at(vault, sample);
        const earlier = samples[i - 1];
        const before = earlier && { vault: this.at(vault, earlier), earlier, sample };
        const gained = added(now, before);
        usd += gained;
        sol += over(gained, now.solPrice);
      }
      return { usd, sol };
    };
    const counter = (name: (typeof COUNTERS)[keyof typeof COUNTERS]): Worth =>
      worth((now, before) => {
        const since = before === undefined ? 0n : countedIn(before.vault, name);
        return times(countedIn(now, name) - since, now.price);
      });
    return {
      interest: counter(COUNTERS.interest),
      managementFees: counter(COUNTERS.managementFees),
      performanceFees: counter(COUNTERS.performanceFees),
      farmRewards: worth((now, before) => this.#givenByFarm(now, before)),
      reserveRewards: worth((now, before) => {
        if (before === undefined) return 0n;
        const yearly = sum(
          now.places.map(({ reserve, invested, rewardsApr }) =>
            times(times(invested / reserve.lamportsPerToken, now.price), rewardsApr),
          ),
        );
        return (yearly * (before.sample.unix - before.earlier.unix)) / YEAR_SECONDS;
      }),
    };
  }

  /** By what the farm itself has counted. */
  #givenByFarm({ fields }: VaultThen, before: Step | undefined): Wide {
    if (before === undefined) return 0n;
    const issued = (at: Moment) =>
      this.ledger
        .find(farmState, fields.vaultFarm, at)
        ?.rewardInfos.map(({ token, rewardsIssuedCumulative }) => ({
          token,
          given: rewardsIssuedCumulative,
        })) ?? [];
    const earlier = issued(before.earlier);
    return sum(
      issued(before.sample).map(({ token, given }, i) => {
        const since = given - (earlier[i]?.given ?? 0n);
        const tokens = toWide(since, 10n ** token.decimals);
        return times(tokens, this.reserves.price(token.mint, before.sample));
      }),
    );
  }
}

type Step = { readonly vault: VaultThen; readonly earlier: Sample; readonly sample: Sample };
