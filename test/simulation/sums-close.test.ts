import { expect, test } from 'vitest';
import type { Address } from '#core/base/encoding/address.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { StateSums } from '#server/indexer/sums/state-sums.ts';
import { silentLog } from '../support/fakes/silent-log.ts';
import { simulateSteps } from '../support/localnet/simulated-steps.ts';

const ENDLESS_MS = 600_000;

/** Every reserve, vault and farm after each hour of a simulation, and what did not add up. */
async function checkSums(period: { readonly seed: string; readonly days: number }) {
  const state = new ClusterState({ log: silentLog });
  const vaults = new Map<Address, bigint>();
  const sums = new StateSums(state);
  const open: unknown[] = [];
  let [steps, moved] = [0, 0n];
  await simulateSteps(period, async (batch) => {
    for (const { at, slots } of batch) {
      for (const { at: changedAt, accounts } of slots) {
        for (const { address, account } of accounts) {
          if (account?.owner === TOKEN_PROGRAM && tokenAccount.matches(account)) {
            vaults.set(address, tokenAccount.view(account).amount);
          }
          state.apply({ address, account, slot: changedAt.slot });
        }
      }
      state.setAt(at);
      // the walk goes on from step to step: what is visited follows the changes
      sums.visitFor(ENDLESS_MS, () => 0);
      open.push(...sums.differences());
      const deposits = sums.deposits();
      for (const { address, fields } of state.reserves()) {
        const balance = vaults.get(fields.collateral.supplyVault) ?? 0n;
        const deposited = deposits.get(address) ?? 0n;
        if (balance !== deposited) open.push({ address, balance, deposited });
        moved += deposited;
      }
      for (const { address, fields } of state.vaults()) {
        const held = state.shareTotal(fields.sharesMint);
        if (held !== fields.sharesIssued) open.push({ address, held });
      }
      steps += 1;
    }
  });
  sums.stop();
  return { open, steps, moved, state };
}

// simulated for other tests too
test.each([
  { seed: 'tidegate', days: 30 },
  { seed: 'conserved', days: 4 },
])(
  'every reserve, vault and farm is the sum of its positions at every step of $days days of $seed',
  async (period) => {
    const { open, steps, moved, state } = await checkSums(period);
    expect(open).toEqual([]);
    expect(steps).toBeGreaterThan(24 * period.days);
    expect(moved).toBeGreaterThan(0n);
    expect(state.statistics().obligations).toBeGreaterThan(20);
    expect(state.statistics().farmUsers).toBeGreaterThan(20);
  },
);
