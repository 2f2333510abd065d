import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../../test/support/silent-log.ts';
import { toSlot, toUnixSeconds } from '../../base/time.ts';
import { modelPrograms } from '../programs/programs.ts';
import { createModelExecutor } from '../transactions/model-executor.ts';
import { playYear } from './play-year.ts';
import { createStage } from './stage.ts';

const until = { slot: toSlot(380_000_000n), unix: toUnixSeconds(1_760_000_000n) };
const DAYS = 4;

function play(seed: string) {
  const executor = createModelExecutor(modelPrograms());
  const stage = createStage({ seed, until, days: DAYS, executor, log: silentLog });
  const steps: number[] = [];
  const tally = playYear(stage, (played, all) => steps.push(played / all));
  return { stage, tally, steps, digest: digestOf(stage) };
}

/** Of all accounts and of all signatures, in their order. */
function digestOf({ bank, transactions, world }: ReturnType<typeof createStage>): string {
  const hash = createHash('sha256');
  for (const slot of transactions.ledger.slots()) {
    for (const { signature } of transactions.ledger.ofSlot(slot)) hash.update(signature);
  }
  for (const address of [...world.lending.reserves.keys(), ...world.saving.vaults.keys()]) {
    hash.update(bank.account(address)?.data ?? '');
  }
  return hash.digest('hex');
}

describe('some days are played', { timeout: 60_000 }, () => {
  const first = play('tidegate');

  test('everybody signs, and most of what they do succeeds', () => {
    const { tally, stage, steps } = first;
    expect(tally.done).toBeGreaterThan(60);
    expect(tally.failed).toBeLessThan(tally.done / 10);
    expect(stage.transactions.ledger.size).toBeGreaterThan(tally.done);
    expect(steps).toEqual([0.25, 0.5, 0.75, 1]);
    expect(stage.bank.slot).toBeLessThanOrEqual(until.slot);
  });

  test('the same seed gives the same signatures and bytes, another one others', () => {
    expect(play('tidegate').digest).toBe(first.digest);
    expect(play('another').digest).not.toBe(first.digest);
  });
});
