import { type Slot, toSlot } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { obligation as obligationLayout } from '@tidegate/core/protocol/klend/layout';
import { createSeededRandom } from '../genesis/seed/seeded-random.ts';
import { type ActionCounts, attempt, createActionCounts } from './actions/attempt.ts';
import { refreshMarketReserves } from './actions/lending-actions.ts';
import { liquidateLoan } from './actions/liquidation.ts';
import { investVault } from './actions/vault-investment.ts';
import type { SimulationContext, SimulationSetup } from './setup/simulation-setup.ts';
import { scheduleActions } from './strategies/action-schedule.ts';
import { assignStrategies } from './strategies/assign-strategies.ts';
import type { Strategy } from './strategies/loan-strategy.ts';

const SLOTS_PER_MINUTE = 150n;
const MINUTES_PER_HOUR = 60;
const HOURS_PER_DAY = 24;
/** So many of a day's hours have somebody who acts. */
const BUSY_HOURS = 9n;
/** In the last hours nobody acts by habit, so that what is planned for them stays as it is. */
const QUIET_HOURS = 2;
/** In calm times loans are looked through once in so many days. */
const WATCH_DAYS = 10;
/** While prices fall, once in so many hours. */
const WATCH_HOURS = 2;
/** Prices fall within these days before the end, after some in which everybody believes that they rise. */
const STORM = { from: 153, to: 148 };
const GREED = { from: 165, to: 152 };

/** How far it is: a step ends with the slot that was moved to and what was done after it. */
export type SimulationProgress = {
  readonly minutes: number;
  readonly allMinutes: number;
  /** The slot that was moved to, before anybody acted. */
  readonly movedTo: Slot;
};

/**
 * Plays everything from the founding of the markets to the end, hour by hour and the last day minute by minute. It goes
 * on when it is asked to, so that others can look at each step.
 */
export function* simulateHistory(
  stage: SimulationSetup,
): Generator<SimulationProgress, ActionCounts> {
  const { founded, days } = stage;
  const tally = createActionCounts();
  const habits = assignStrategies(createSeededRandom(`${stage.seed}/cast`));
  const hours = days * HOURS_PER_DAY;
  const planned = scheduleActions(hours);
  const allMinutes = hours * MINUTES_PER_HOUR;
  for (const minutes of steps(hours)) {
    const movedTo = slotAfter(founded.slot, minutes);
    stage.moveTo(movedTo);
    if (minutes % MINUTES_PER_HOUR === 0) {
      const hour = minutes / MINUTES_PER_HOUR;
      for (const act of planned.get(hour) ?? []) act(stage, tally);
      if (isWatched(hours - hour)) liquidateAll(stage, tally);
      const mood = isWithin(GREED, hours - hour) ? 'greedy' : 'calm';
      if (hour < hours - QUIET_HOURS) actByHabit({ ...stage, mood }, habits, tally);
      if (hour % HOURS_PER_DAY === 1) keep(stage, (hour - 1) / HOURS_PER_DAY, tally);
    }
    yield { minutes, allMinutes, movedTo };
  }
  return tally;
}

/** Minutes after the founding. */
function* steps(hours: number): Iterable<number> {
  const lastDay = (hours - HOURS_PER_DAY) * MINUTES_PER_HOUR;
  for (let minutes = MINUTES_PER_HOUR; minutes < lastDay; minutes += MINUTES_PER_HOUR) {
    yield minutes;
  }
  for (let minutes = Math.max(lastDay, 1); minutes <= hours * MINUTES_PER_HOUR; minutes++) {
    yield minutes;
  }
}

const slotAfter = (founded: Slot, minutes: number): Slot =>
  toSlot(founded + BigInt(minutes) * SLOTS_PER_MINUTE);

const isWithin = ({ from, to }: typeof STORM, hoursBefore: number): boolean =>
  hoursBefore <= from * HOURS_PER_DAY && hoursBefore >= to * HOURS_PER_DAY;

function isWatched(hoursBefore: number): boolean {
  if (isWithin(STORM, hoursBefore)) return hoursBefore % WATCH_HOURS === 0;
  return hoursBefore % (WATCH_DAYS * HOURS_PER_DAY) === 0 && hoursBefore > 0;
}

function actByHabit(
  stage: SimulationContext,
  habits: readonly (readonly Strategy[])[],
  tally: ActionCounts,
): void {
  const { dice } = stage;
  if (dice.between(1n, BigInt(HOURS_PER_DAY)) > BUSY_HOURS) return;
  const wallet = Number(dice.between(0n, BigInt(habits.length - 1)));
  const own = habits[wallet] ?? [];
  if (own.length > 0) own[Number(dice.between(0n, BigInt(own.length - 1)))]?.(stage, wallet, tally);
}

function liquidateAll({ player, people, bank }: SimulationContext, tally: ActionCounts): void {
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
  { player, people, facts }: SimulationContext,
  day: number,
  tally: ActionCounts,
): void {
  for (const { address } of facts.markets) {
    attempt(tally, () => refreshMarketReserves(player, address, people.keeper));
  }
  const vault = facts.vaults[day % 7];
  if (vault === undefined) return;
  for (const record of investVault(player, vault.address, people.maker))
    attempt(tally, () => record);
}
