import type { Address } from '#core/base/encoding/address.ts';
import { farmState } from '#core/protocol/farms/layout/farm-state.ts';
import {
  type Decimal50,
  divide,
  multiply,
  sum,
  toDecimal50,
} from '../reference/reference-lending.ts';
import type { AccountLedger, LedgerTime, Sample } from './account-ledger.ts';
import type { LedgerReserves } from './ledger-reserves.ts';
import { type LedgerVault, ledgerVaultAt } from './ledger-vault.ts';
import { ShareBalances } from './share-balances.ts';
import { parseTrades, type Trade } from './vault-trades.ts';

/** Earnings in USD and SOL, each interval between two samples valued at its end. */
export type UsdSolValue = { readonly usd: Decimal50; readonly sol: Decimal50 };

type Counter = 'interest' | 'managementFees' | 'performanceFees';

export type LedgerVaultTotals = Readonly<
  Record<Counter | 'farmRewards' | 'reserveRewards', UsdSolValue>
>;

const YEAR_SECONDS = 31_536_000n;

/** The vaults of a ledger at any time. */
export class VaultIndex {
  readonly ledger: AccountLedger;
  readonly reserves: LedgerReserves;
  readonly shares: ShareBalances;
  readonly trades: readonly Trade[];
  readonly #cache = new Map<string, LedgerVault | undefined>();

  constructor(ledger: AccountLedger, reserves: LedgerReserves) {
    this.ledger = ledger;
    this.reserves = reserves;
    this.shares = new ShareBalances(ledger);
    this.trades = parseTrades(ledger);
  }

  find(vault: Address, at: LedgerTime): LedgerVault | undefined {
    const key = `${vault} ${at.slot}`;
    if (!this.#cache.has(key)) this.#cache.set(key, ledgerVaultAt(this, vault, at));
    return this.#cache.get(key);
  }

  at(vault: Address, at: LedgerTime): LedgerVault {
    const found = this.find(vault, at);
    if (found === undefined) throw new Error(`no vault ${vault}`);
    return found;
  }

  /** Tokens per share of a trade: the price paid, or that of the last sample. */
  rateOf({ vault, shares, tokens, crank, unix }: Trade): Decimal50 {
    const sample = this.ledger.sampleAt(unix);
    const then = sample && this.at(vault, sample);
    if (then === undefined) return 0n;
    if (tokens === undefined || shares === 0n) return then.tokensPerShare;
    const { tokenMintDecimals, sharesMintDecimals } = then.fields;
    return toDecimal50(
      (tokens - crank) * 10n ** sharesMintDecimals,
      shares * 10n ** tokenMintDecimals,
    );
  }

  /** Totals from the samples up to a time. */
  totals(vault: Address, until: LedgerTime): LedgerVaultTotals {
    const samples = this.ledger.samples.filter(({ slot }) => slot <= until.slot);
    const worth = (
      added: (now: LedgerVault, before: Step | undefined) => Decimal50,
    ): UsdSolValue => {
      let [usd, sol] = [0n, 0n];
      for (const [i, sample] of samples.entries()) {
        const now = this.at(vault, sample);
        const earlier = samples[i - 1];
        const before = earlier && { vault: this.at(vault, earlier), earlier, sample };
        const gained = added(now, before);
        usd += gained;
        sol += divide(gained, now.solPrice);
      }
      return { usd, sol };
    };
    const counter = (name: Counter): UsdSolValue =>
      worth((now, before) => {
        const since = before === undefined ? 0n : before.vault.accrued[name];
        return multiply(now.accrued[name] - since, now.price);
      });
    return {
      interest: counter('interest'),
      managementFees: counter('managementFees'),
      performanceFees: counter('performanceFees'),
      farmRewards: worth((now, before) => this.#givenByFarm(now, before)),
      reserveRewards: worth((now, before) => {
        if (before === undefined) return 0n;
        const yearly = sum(
          now.allocations.map(({ reserve, invested, rewardsApr }) =>
            multiply(multiply(invested / reserve.lamportsPerToken, now.price), rewardsApr),
          ),
        );
        return (yearly * (before.sample.unix - before.earlier.unix)) / YEAR_SECONDS;
      }),
    };
  }

  /** Rewards from the farm's counters. */
  #givenByFarm({ fields }: LedgerVault, before: Step | undefined): Decimal50 {
    if (before === undefined) return 0n;
    const issued = (at: LedgerTime) =>
      this.ledger
        .find(farmState, fields.vaultFarm, at)
        ?.rewardInfos.map(({ token, rewardsIssuedCumulative }) => ({
          token,
          issuedAmount: rewardsIssuedCumulative,
        })) ?? [];
    const earlier = issued(before.earlier);
    return sum(
      issued(before.sample).map(({ token, issuedAmount }, i) => {
        const since = issuedAmount - (earlier[i]?.issuedAmount ?? 0n);
        const tokens = toDecimal50(since, 10n ** token.decimals);
        return multiply(tokens, this.reserves.price(token.mint, before.sample));
      }),
    );
  }
}

type Step = { readonly vault: LedgerVault; readonly earlier: Sample; readonly sample: Sample };
