import { type Slot, toSlot } from '../../base/time.ts';
import { obligation as obligationLayout } from '../../protocol/klend/layout/obligation.ts';
import { KLEND_PROGRAM } from '../../protocol/klend/program.ts';
import { castHabits } from './cast.ts';
import { refreshOf } from './lending-acts.ts';
import { liquidateLoan } from './liquidation.ts';
import { investAll } from './saving-acts.ts';
import type { Stage } from './stage.ts';
import { attempt, newTally, type Tally } from './trying.ts';

/** People act in a few bursts a day, because prices are told for each. */
const BURSTS_PER_DAY = 3n;
const ACTS_PER_BURST = 5n;
const SLOTS_PER_DAY = 216_000n;
/** In calm times loans are looked through once in so many days. */
const WATCH_DAYS = 10;
/** Reserves in one transaction of the keeper's. */
const REFRESHED_AT_ONCE = 4;

export type Progress = (played: number, all: number) => void;

/** Plays everything from the founding of the markets to the end. */
export function playYear(stage: Stage, onProgress: Progress = () => undefined): Tally {
  const { world, until } = stage;
  const tally = newTally();
  const habits = castHabits(stage.dice);
  const days = Number((until.slot - world.founded.slot) / SLOTS_PER_DAY);
  for (let day = 0; day < days; day++) {
    const start = world.founded.slot + BigInt(day) * SLOTS_PER_DAY;
    for (let burst = 0n; burst < BURSTS_PER_DAY; burst++) {
      const slot = toSlot(start + ((burst * 2n + 1n) * SLOTS_PER_DAY) / (BURSTS_PER_DAY * 2n));
      const isWatched = isStormy(days - day) || (burst === 0n && day % WATCH_DAYS === 0);
      playBurst(stage, { slot, habits, tally, isWatched });
    }
    keep(stage, { day, tally });
    onProgress(day + 1, days);
  }
  return tally;
}

type Burst = {
  readonly slot: Slot;
  readonly habits: ReturnType<typeof castHabits>;
  readonly tally: Tally;
  /** Whether somebody looks for loans to liquidate. */
  readonly isWatched: boolean;
};

function playBurst(stage: Stage, { slot, habits, tally, isWatched }: Burst): void {
  const { dice } = stage;
  stage.moveTo(slot);
  if (isWatched) liquidateAll(stage, tally);
  for (let act = 0n; act < ACTS_PER_BURST; act++) {
    const wallet = Number(dice.between(0n, BigInt(habits.length - 1)));
    const own = habits[wallet] ?? [];
    own[Number(dice.between(0n, BigInt(own.length - 1)))]?.(stage, wallet, tally);
  }
}

/** Prices fall within these days before the end. */
const isStormy = (daysBefore: number): boolean => daysBefore >= 148 && daysBefore <= 153;

function liquidateAll({ player, people, bank }: Stage, tally: Tally): void {
  const loans = [...bank.view(bank.slot).accountsOf(KLEND_PROGRAM)].filter(({ account }) =>
    obligationLayout.matches(account),
  );
  for (const { address } of loans) {
    const record = liquidateLoan(player, address, people.maker);
    if (record !== undefined) attempt(tally, () => record);
  }
}

/** Reserves are refreshed every day, vaults are invested once a week, one after the other. */
function keep(
  { player, people, world, facts }: Stage,
  { day, tally }: { readonly day: number; readonly tally: Tally },
): void {
  const reserves = [...world.lending.reserves.keys()];
  for (let first = 0; first < reserves.length; first += REFRESHED_AT_ONCE) {
    const some = reserves.slice(first, first + REFRESHED_AT_ONCE);
    const instructions = some.map((reserve) => refreshOf(player, reserve));
    attempt(tally, () => player.act({ instructions, signers: [people.keeper] }));
  }
  const vault = facts.vaults[day % 7];
  if (vault === undefined) return;
  for (const record of investAll(player, vault.address, people.maker)) attempt(tally, () => record);
}
