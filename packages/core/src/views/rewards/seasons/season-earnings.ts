import type { Address } from '../../../base/encoding/address.ts';
import type { Sf } from '../../../base/numbers/scaled-fraction.ts';
import type { Slot, UnixSeconds } from '../../../base/time.ts';
import type { ObligationView } from '../../../protocol/klend/layout/obligation.ts';
import type { ReserveNow } from '../../lending/reserve-snapshot.ts';
import {
  earnInterval,
  NOTHING_EARNED,
  type Season,
  type SeasonEarned,
  type SeasonInterval,
  type SeasonReward,
} from './season.ts';
import { usdOfLoans } from './season-eligible-value.ts';
import type { SeasonSides } from './season-reward-groups.ts';

/** What the last sample of an hour found. */
export type SeasonHour = Pick<SeasonInterval, 'walletUsd' | 'eligibleUsd'> & {
  readonly at: UnixSeconds;
};

export type EarnedTerms = {
  readonly season: Season;
  readonly rewards: readonly SeasonReward[];
  readonly wallet: Address;
  readonly until: UnixSeconds;
};

/** What stood at a sample stands until the next one, and after the last one up to `until`. Hours are oldest first. */
export function earnedOver(hours: readonly SeasonHour[], terms: EarnedTerms): SeasonEarned {
  const { season, rewards, wallet, until } = terms;
  const boosts = season.boosts.filter((boost) => boost.wallet === wallet);
  const own = { ...season, boosts };
  return hours.reduce((earned, { at: start, walletUsd, eligibleUsd }, i) => {
    if (walletUsd.numerator === 0n) return earned;
    const interval = { start, end: hours[i + 1]?.at ?? until, walletUsd, eligibleUsd };
    return rewards.reduce(
      (sum, reward) => earnInterval(sum, interval, { season: own, reward, wallet }),
      earned,
    );
  }, NOTHING_EARNED);
}

/** The states that a loan came into, oldest first; undefined while it is closed, or somebody else's. */
export type LoanStates = readonly {
  readonly slot: Slot;
  readonly loan: Pick<ObligationView, 'deposits' | 'borrows'> | undefined;
}[];

/** The last sample of an hour: the reserves that matter, accrued to its slot. */
export type SampledReserves = {
  readonly slot: Slot;
  readonly reserves: ReadonlyMap<Address, ReserveNow>;
};

/** What each of these sides counts of a wallet's loans, hour by hour. */
export function loanUsdByHour(
  hours: readonly SampledReserves[],
  loans: readonly LoanStates[],
  asked: readonly SeasonSides[],
): readonly (readonly Sf[])[] {
  const walkers = loans.map((states) => createWalker(states));
  return hours.map(({ slot, reserves }) => {
    const open = walkers.flatMap((stateAt) => stateAt(slot)?.loan ?? []);
    return usdOfLoans(
      open.map((fields) => ({ fields })),
      asked,
      reserves,
    ).usd;
  });
}

/** The state at a slot; slots are asked for in their order. */
export function createWalker<State extends { readonly slot: Slot }>(
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
