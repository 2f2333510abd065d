import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import type { ObservedSlot, SeenAccounts } from '#localnet/replay/observed-slot.ts';
import { replaySlot } from '#localnet/replay/replay-slot.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import { simulatedGenesis } from '../test/support/localnet/simulated-genesis.ts';
import { RandomRun } from '../test/support/random/random-run.ts';
import { randomWallets } from '../test/support/random/random-wallets.ts';
import { BankObserver } from '../test/support/replay/bank-observer.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * CPU time of the replay of a transaction: random operations of all kinds, some of them refused. Each round replays
 * accounts of its own, as a server does that receives every version once.
 */
const BUDGET_MS = 10;
const ACTIONS = sized(400, 20);
const ROUNDS = sized(6, 2);
const GENESIS_SEED = 'random operations';

const observer = new BankObserver();
const seed = 'replay cost';
new RandomRun({
  genesis: simulatedGenesis(GENESIS_SEED),
  executor: createModelExecutor(modelPrograms()),
  seed,
  wallets: randomWallets(GENESIS_SEED, seed, 10),
  actions: ACTIONS,
  hasPreviews: false,
  observer,
}).run();
const transactions = observer.slots.reduce((sum, slot) => sum + slot.transactions.length, 0);

const costs = Array.from({ length: ROUNDS }, () => {
  const slots = receivedAgain(observer.slots);
  const before = process.cpuUsage();
  for (const slot of slots) {
    const { accounts } = replaySlot(slot, NEWEST_RULES);
    const wrong = accounts.find(({ verdict }) => verdict !== 'proven');
    if (wrong !== undefined) throw new Error(`${wrong.address} is ${wrong.verdict}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / transactions;
});
const [first = 0] = costs;
const warm = Math.min(...costs);
console.table([
  { measured: 'transactions in a round', value: transactions },
  { measured: 'ms of CPU per transaction, first round', value: first.toFixed(2) },
  { measured: 'ms of CPU per transaction, best round', value: warm.toFixed(2) },
  { measured: 'transactions per second with 2 % of a core', value: (20 / warm).toFixed(1) },
]);
console.log(`budget: at most ${BUDGET_MS} ms per transaction`);
reportBudget(warm <= BUDGET_MS);

/** The same slots with bytes of their own: what the models have decoded belongs to the bytes. */
function receivedAgain(slots: readonly ObservedSlot[]): ObservedSlot[] {
  const copies = new Map<ClusterAccount, ClusterAccount>();
  const copyOf = (account: ClusterAccount | undefined): ClusterAccount | undefined => {
    if (account === undefined) return undefined;
    const copy = copies.get(account) ?? { ...account, data: account.data.slice() };
    copies.set(account, copy);
    return copy;
  };
  const copyAll = (accounts: SeenAccounts): SeenAccounts =>
    new Map([...accounts].map(([address, account]) => [address, copyOf(account)]));
  return slots.map((slot) => ({
    ...slot,
    before: copyAll(slot.before),
    after: copyAll(slot.after),
  }));
}
