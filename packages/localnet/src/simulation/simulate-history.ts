import type { Slot } from '@tidegate/core/base';
import { KLEND_PROGRAM } from '@tidegate/core/protocol/klend';
import { obligation as obligationLayout } from '@tidegate/core/protocol/klend/layout';
import { type PriceEvents, priceEventsOf } from '../genesis/seed/price-history.ts';
import { createSeededRandom } from '../genesis/seed/seeded-random.ts';
import { lastSlotBefore } from '../runtime/slot-time.ts';
import { type ActionCounts, attempt, createActionCounts } from './actions/attempt.ts';
import { refreshMarketReserves } from './actions/lending-actions.ts';
import { liquidateLoan } from './actions/liquidation.ts';
import { investVault } from './actions/vault-investment.ts';
import type { SimulationContext, SimulationSetup } from './setup/simulation-setup.ts';
import { type SimulationStep, simulationSteps } from './simulation-steps.ts';
import { scheduleActions } from './strategies/action-schedule.ts';
import { assignStrategies } from './strategies/assign-strategies.ts';
import type { Strategy } from './strategies/loan-strategy.ts';

const MINUTES_PER_HOUR = 60;
const HOUR_SECONDS = 3_600n;
const MINUTE_SECONDS = 60n;
const HOURS_PER_DAY = 24;
/** Average number of hours per day in which a wallet acts. */
const BUSY_HOURS = 9n;
/** Strategies pause in the last hours, so that scheduled positions stay as they are. */
const QUIET_HOURS = 2;
/** In calm times, loans are checked for liquidation once in this many days. */
const CHECK_INTERVAL_DAYS = 10;
/** While prices fall, loans are checked once in this many hours. */
const CHECK_INTERVAL_HOURS = 2;

/** Progress of a simulation. A step ends at `slot`, plus the transactions executed after it. */
export type SimulationProgress = SimulationStep & {
  readonly totalMinutes: number;
  /** The slot that the step advanced to, before any transaction: the last slot of a full hour or minute. */
  readonly slot: Slot;
};

/**
 * Simulates the history from genesis to the end, hour by hour, and minute by minute at the end. Steps are on full hours and
 * minutes, so that the state after a step is that of its time; the transactions of a step come after it. Each yield lets
 * the caller inspect one step.
 */
export function* simulateHistory(
  simulation: SimulationSetup,
): Generator<SimulationProgress, ActionCounts> {
  const { startTime, until, days } = simulation;
  const counts = createActionCounts();
  const strategies = assignStrategies(createSeededRandom(`${simulation.seed}/cast`));
  const hours = days * HOURS_PER_DAY;
  const planned = scheduleActions(hours);
  const { fall, greed } = priceEventsOf(days);
  const fullHour = startTime.unix - (startTime.unix % HOUR_SECONDS);
  const totalMinutes = Number((until.unix - fullHour) / MINUTE_SECONDS);
  for (const { minutes, length } of simulationSteps(totalMinutes)) {
    const slot = lastSlotBefore(startTime, fullHour + BigInt(minutes) * MINUTE_SECONDS + 1n);
    if (slot > until.slot) break;
    simulation.advanceTo(slot);
    if (minutes % MINUTES_PER_HOUR === 0) {
      const hour = minutes / MINUTES_PER_HOUR;
      for (const action of planned.get(hour) ?? []) action(simulation, counts);
      if (isLiquidationCheckDue(fall, hours - hour)) liquidateAll(simulation, counts);
      const sentiment = isWithin(greed, hours - hour) ? 'greedy' : 'calm';
      if (hour < hours - QUIET_HOURS)
        executeStrategy({ ...simulation, sentiment }, strategies, counts);
      if (hour % HOURS_PER_DAY === 1) runKeepers(simulation, (hour - 1) / HOURS_PER_DAY, counts);
    }
    yield { minutes, length, totalMinutes, slot };
  }
  if (simulation.bank.slot < until.slot) {
    simulation.advanceTo(until.slot);
    yield { minutes: totalMinutes, length: 'minute', totalMinutes, slot: until.slot };
  }
  return counts;
}

const isWithin = ({ from, to }: PriceEvents['fall'], hoursBefore: number): boolean =>
  hoursBefore <= from * HOURS_PER_DAY && hoursBefore >= to * HOURS_PER_DAY;

function isLiquidationCheckDue(fall: PriceEvents['fall'], hoursBefore: number): boolean {
  if (isWithin(fall, hoursBefore)) return hoursBefore % CHECK_INTERVAL_HOURS === 0;
  return hoursBefore % (CHECK_INTERVAL_DAYS * HOURS_PER_DAY) === 0 && hoursBefore > 0;
}

function executeStrategy(
  simulation: SimulationContext,
  strategies: readonly (readonly Strategy[])[],
  counts: ActionCounts,
): void {
  const { random } = simulation;
  if (random.between(1n, BigInt(HOURS_PER_DAY)) > BUSY_HOURS) return;
  const wallet = Number(random.between(0n, BigInt(strategies.length - 1)));
  const walletStrategies = strategies[wallet] ?? [];
  if (walletStrategies.length > 0)
    walletStrategies[Number(random.between(0n, BigInt(walletStrategies.length - 1)))]?.(
      simulation,
      wallet,
      counts,
    );
}

function liquidateAll({ simulator, agents, bank }: SimulationContext, counts: ActionCounts): void {
  const loans = [...bank.view(bank.slot).accountsOf(KLEND_PROGRAM)].filter(({ account }) =>
    obligationLayout.matches(account),
  );
  for (const { address } of loans) {
    const record = liquidateLoan(simulator, address, agents.marketMaker);
    if (record !== undefined) attempt(counts, () => record);
  }
}

/** Refreshes all reserves, and invests one vault per day, in turn. */
function runKeepers(
  { simulator, agents, metadata }: SimulationContext,
  day: number,
  counts: ActionCounts,
): void {
  for (const { address } of metadata.markets) {
    attempt(counts, () => refreshMarketReserves(simulator, address, agents.keeper));
  }
  const vault = metadata.vaults[day % metadata.vaults.length];
  if (vault === undefined) return;
  for (const record of investVault(simulator, vault.address, agents.marketMaker))
    attempt(counts, () => record);
}
