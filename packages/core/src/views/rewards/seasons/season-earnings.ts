import type { Address } from '../../../base/encoding/address.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import type { Slot, UnixSeconds } from '../../../base/time.ts';
import type { ObligationView } from '../../../protocol/klend/layout/obligation.ts';
import type { ReserveSnapshot } from '../../lending/reserve-snapshot.ts';
import {
  accrueSeasonInterval,
  type Season,
  type SeasonEarnings,
  type SeasonInterval,
  type SeasonReward,
  ZERO_SEASON_EARNINGS,
} from './season.ts';
import { sumEligibleLoansUsd } from './season-eligible-value.ts';
import type { RewardTarget } from './season-reward-groups.ts';

/** The last sample of an hour. */
export type SeasonHourlySample = Pick<SeasonInterval, 'walletUsd' | 'eligibleUsd'> & {
  readonly at: UnixSeconds;
};

export type SeasonEarningsInput = {
  readonly season: Season;
  readonly rewards: readonly SeasonReward[];
  readonly wallet: Address;
  readonly until: UnixSeconds;
};

/** A sample is valid until the next one, and the last one until `until`. `hours` must ascend. */
export function sumSeasonEarnings(
  hours: readonly SeasonHourlySample[],
  input: SeasonEarningsInput,
): SeasonEarnings {
  const { season, rewards, wallet, until } = input;
  const boosts = season.boosts.filter((boost) => boost.wallet === wallet);
  const walletSeason = { ...season, boosts };
  return hours.reduce((earned, { at: start, walletUsd, eligibleUsd }, i) => {
    if (walletUsd.numerator === 0n) return earned;
    const interval = { start, end: hours[i + 1]?.at ?? until, walletUsd, eligibleUsd };
    return rewards.reduce(
      (sum, reward) =>
        accrueSeasonInterval(sum, interval, { season: walletSeason, reward, wallet }),
      earned,
    );
  }, ZERO_SEASON_EARNINGS);
}

/** The states of a loan, oldest first; undefined while it is closed or has another owner. */
export type LoanStateHistory = readonly {
  readonly slot: Slot;
  readonly loan: Pick<ObligationView, 'deposits' | 'borrows'> | undefined;
}[];

/** The last sample of an hour: the relevant reserves, accrued to its slot. */
export type ReserveSamples = {
  readonly slot: Slot;
  readonly reserves: ReadonlyMap<Address, ReserveSnapshot>;
};

/** The eligible value of a wallet's loans for each target, by hour. */
export function eligibleLoanUsdByHour(
  hours: readonly ReserveSamples[],
  loans: readonly LoanStateHistory[],
  targets: readonly RewardTarget[],
): readonly (readonly Sf[])[] {
  const cursors = loans.map((states) => createStateCursor(states));
  return hours.map(({ slot, reserves }) => {
    const open = cursors.flatMap((stateAt) => stateAt(slot)?.loan ?? []);
    return sumEligibleLoansUsd(
      open.map((fields) => ({ fields })),
      targets,
      reserves,
    ).usd;
  });
}

/** Returns the state at a slot; slots must ascend between calls. */
export function createStateCursor<State extends { readonly slot: Slot }>(
  states: readonly State[],
): (slot: Slot) => State | undefined {
  let next = 0;
  return (slot) => {
    for (let state = states[next]; state !== undefined && state.slot <= slot; ) {
      next += 1;
      state = states[next];
    }
    return states[next - 1];
  };
}
