import { expect, test } from 'vitest';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { simulatedGenesis } from '../../../support/localnet/simulated-genesis.ts';
import { RandomRun } from '../../../support/random/random-run.ts';
import { randomWallets } from '../../../support/random/random-wallets.ts';
import { BankObserver } from '../../../support/replay/bank-observer.ts';

const GENESIS_SEED = 'random operations';

/** For more: `RANDOM_SEEDS=50 npx vitest run test/integration/localnet/replay`. */
const SEEDS = Number(process.env['RANDOM_SEEDS'] ?? 1);
const seeds = Array.from({ length: SEEDS }, (_, i) => `replay ${i}`);

test.each(seeds)('every transaction of 100 random operations is proven, seed %s', (seed) => {
  const observer = new BankObserver();
  const run = new RandomRun({
    genesis: simulatedGenesis(GENESIS_SEED),
    executor: createModelExecutor(modelPrograms()),
    seed,
    wallets: randomWallets(GENESIS_SEED, seed, 10),
    actions: 100,
    hasPreviews: false,
    observer,
  });
  run.run();
  const proofs = observer.slots.map((slot) => replaySlot(slot, NEWEST_RULES));
  const transactions = proofs.flatMap((proof) => proof.transactions);
  const all = [...transactions, ...proofs.flatMap(({ accounts }) => accounts)];
  expect(all.filter(({ verdict }) => verdict !== 'proven')).toEqual([]);
  expect(transactions.length).toBe(run.built);
  expect(transactions.some(({ hasFailed }) => hasFailed)).toBe(true);
  expect(observer.slots.some((slot) => slot.transactions.length > 1)).toBe(true);
});
