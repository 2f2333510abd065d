import { expect, test } from 'vitest';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import { simulateSteps } from '../support/localnet/simulated-steps.ts';
import { FOLLOWED } from '../support/replay/golden-slots.ts';
import { SlotObserver } from '../support/replay/simulated-slots.ts';

/** For a year: `REPLAY_DAYS=365 npx vitest run test/simulation/replayed-days.test.ts`. */
const DAYS = Number(process.env['REPLAY_DAYS'] ?? 30);

/** Random operations have the others, see `test/integration/localnet/replay`. */
const INSTRUCTIONS = [
  ...['borrowObligationLiquidityV2', 'depositReserveLiquidityAndObligationCollateralV2'],
  ...['repayObligationLiquidityV2', 'withdrawObligationCollateralAndRedeemReserveCollateralV2'],
  ...['flashBorrowReserveLiquidity', 'flashRepayReserveLiquidity', 'requestElevationGroup'],
  ...['enqueueToWithdraw', 'withdrawQueuedLiquidity', 'updateReserveConfig'],
  ...['depositWithMinSharesOut', 'withdrawFromAvailable', 'invest', 'redeemInKind'],
  ...['stake', 'unstake', 'withdrawUnstakedDeposits', 'harvestReward', 'setStakeDelegated'],
];

test(`every account that ${DAYS} simulated days write is proven`, async () => {
  const observer = new SlotObserver(FOLLOWED);
  const verdicts = new Map<string, number>();
  const instructions = new Set<string>();
  await simulateSteps({ seed: 'tidegate', days: DAYS }, async (steps) => {
    for (const slot of observer.observe(steps)) {
      if (slot.transactions.length === 0) continue;
      const { accounts, transactions } = replaySlot(slot, NEWEST_RULES);
      for (const { calls } of transactions) {
        for (const { instruction } of calls) instructions.add(instruction);
      }
      for (const { verdict, reason } of [...accounts, ...transactions]) {
        const key = reason ?? verdict;
        verdicts.set(key, (verdicts.get(key) ?? 0) + 1);
      }
    }
  });
  expect([...verdicts.keys()]).toEqual(['proven']);
  expect(verdicts.get('proven')).toBeGreaterThan(300);
  expect([...instructions]).toEqual(expect.arrayContaining(INSTRUCTIONS));
});
