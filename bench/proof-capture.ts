import { setImmediate as nextTurn } from 'node:timers/promises';
import { serialize, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Address } from '#core/base/encoding/address.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { type Slot, toSlot, toUnixSeconds } from '#core/base/time.ts';
import { NEWEST_RULES } from '#core/protocol/releases/program-rules.ts';
import { identifyAccount } from '#core/state/account-kinds.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import { modelPrograms } from '#localnet/programs/model-programs.ts';
import { createModelExecutor } from '#localnet/runtime/transactions/model-executor.ts';
import type { SeenTransaction } from '#server/indexer/events/event-follower-options.ts';
import { CounterexampleStore } from '#server/proof/counterexample-store.ts';
import { LiveProof } from '#server/proof/live-proof.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { simulatedGenesis } from '../test/support/localnet/simulated-genesis.ts';
import { numberedAddress } from '../test/support/protocol/codecs.ts';
import { RandomRun } from '../test/support/random/random-run.ts';
import { randomWallets } from '../test/support/random/random-wallets.ts';
import { BankObserver } from '../test/support/replay/bank-observer.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * What the proof costs a server at 2,000 account updates and 40 transactions a second: CPU time and memory of the same
 * stream of updates with and without it. The thread is replaced by the time that `bench/proof.ts` measures per transaction;
 * what is sent to it is serialized.
 */
/** Before them, the part of the budget that is saved at the start is used up. */
const WARM_UP_SLOTS = sized(150, 2);
const SLOTS = sized(600, 5);
const ROUNDS = sized(3, 1);
const SLOT_MS = 400;
const UPDATES_PER_SLOT = 800;
const TRANSACTIONS_PER_SLOT = 16;
const POSITIONS = sized(20_000, 200);
/** Transactions are known this number of slots after their accounts. */
const EVENT_LAG = 5n;
const REPLAY_MS = 3;
const BUDGET_PERCENT = 2;
const GENESIS_SEED = 'random operations';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const observer = new BankObserver();
new RandomRun({
  genesis: simulatedGenesis(GENESIS_SEED),
  executor: createModelExecutor(modelPrograms()),
  seed: 'capture',
  wallets: randomWallets(GENESIS_SEED, 'capture', 10),
  actions: sized(150, 10),
  hasPreviews: false,
  observer,
}).run();
const responses = observer.slots.flatMap(({ transactions }) =>
  transactions.map(({ response }) => response),
);
const accounts = [...(observer.slots.at(-1)?.after ?? [])].flatMap(([address, account]) =>
  account === undefined ? [] : [[address, account] as const],
);
const loans = accounts.filter(([, account]) => identifyAccount(account).kind === 'obligation');
const shared = accounts.filter(([, account]) => identifyAccount(account).kind === 'reserve');

/** `replayMs`: CPU time of the thread. */
type BenchTime = { slot: bigint; replayMs: number; replayed: number };

type Measured = {
  /** Percent of a core, with the thread. */
  readonly cpuPercent: number;
  readonly bytes: number;
  readonly replayed: number;
};

async function measure(hasProof: boolean): Promise<Measured> {
  const time: BenchTime = { slot: 1n, replayMs: 0, replayed: 0 };
  const proof: { live?: LiveProof } = {};
  const state = new ClusterState({
    log: silentLog,
    onChange: (address, _, change) => proof.live?.onChange(address, change),
  });
  for (const [address, account] of accounts) state.apply({ address, account, slot: toSlot(1n) });
  if (hasProof) proof.live = createProof(state, time);
  const stream = new Stream(state, proof.live);
  await closeSlots(stream, time, WARM_UP_SLOTS);
  const [replayMs, replayed] = [time.replayMs, time.replayed];
  const before = process.cpuUsage();
  await closeSlots(stream, time, SLOTS);
  const { user, system } = process.cpuUsage(before);
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const cpuMs = (user + system) / 1000 + time.replayMs - replayMs;
  return {
    cpuPercent: (cpuMs / (SLOTS * SLOT_MS)) * 100,
    bytes: heapUsed + arrayBuffers,
    replayed: time.replayed - replayed,
  };
}

async function closeSlots(stream: Stream, time: BenchTime, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    time.slot += 1n;
    stream.closeSlot(time.slot);
    await nextTurn();
  }
}

class Stream {
  readonly #state: ClusterState;
  readonly #proof: LiveProof | undefined;
  /** Transactions are in memory until they are recorded, with and without the proof. */
  readonly #unrecorded: (readonly SeenTransaction[])[] = [];

  constructor(state: ClusterState, proof: LiveProof | undefined) {
    this.#state = state;
    this.#proof = proof;
  }

  closeSlot(number: bigint): void {
    const slot = toSlot(number);
    for (let i = 0; i < UPDATES_PER_SLOT; i++) {
      const position = (Number(number) * 7_919 + i * 31) % POSITIONS;
      const isShared = i % 5 === 0;
      const list = isShared ? shared : loans;
      const [known, template] = list[position % list.length] ?? never();
      const address = isShared ? known : addressOf(position);
      const account = changed(template, number);
      this.#proof?.onUpdate({ address, account, slot });
      this.#state.apply({ address, account, slot });
    }
    const transactions = transactionsOf(slot);
    this.#unrecorded.push(transactions);
    if (this.#unrecorded.length > EVENT_LAG) this.#unrecorded.shift();
    this.#proof?.transactionObservers.onTransactions(transactions);
    this.#proof?.onSlot({ slot, unix: toUnixSeconds(number) });
  }
}

function transactionsOf(slot: Slot): readonly SeenTransaction[] {
  const first = Number(slot) * TRANSACTIONS_PER_SLOT;
  return Array.from({ length: TRANSACTIONS_PER_SLOT }, (_, index) => ({
    signature: `${first + index}`,
    slot,
    index,
    response: responses[(first + index) % responses.length],
  }));
}

function createProof(state: ClusterState, time: BenchTime): LiveProof {
  const clock = () => Number(time.slot) * SLOT_MS;
  return new LiveProof({
    state,
    clock,
    hasAllPositions: () => true,
    hasKeepers: false,
    rulesAt: () => NEWEST_RULES,
    executor: {
      replay: async (task) => {
        const start = performance.now();
        serialize(task);
        const copyMs = performance.now() - start;
        const replayMs = task.slot.transactions.length * REPLAY_MS;
        time.replayMs += replayMs;
        time.replayed += task.slot.transactions.length;
        return { ms: replayMs + copyMs, proof: { accounts: [], transactions: [] } };
      },
      describe: async () => '',
      recheck: async () => true,
      close: async () => undefined,
    },
    store: new CounterexampleStore({ folder: '/nonexistent', clock, log: silentLog }),
    ledger: {
      listSignatures: async () => [],
      getTransactions: async () => [],
      getBlockSignatures: async () => undefined,
    },
    getAccounts: async () => never(),
    unproven: { set: () => undefined },
    eventSlot: () => toSlot(time.slot > EVENT_LAG ? time.slot - EVENT_LAG : 0n),
    percent: BUDGET_PERCENT,
    random: Math.random,
    log: silentLog,
  });
}

const addresses = new Map<number, Address>();

function addressOf(position: number): Address {
  const address = addresses.get(position) ?? numberedAddress(1_000_000 + position);
  addresses.set(position, address);
  return address;
}

/** Another content in every slot. */
function changed(account: ClusterAccount, slot: bigint): ClusterAccount {
  const data = account.data.slice();
  new DataView(data.buffer).setBigUint64(16, slot, true);
  return { ...account, data };
}

function never(): never {
  throw new Error('there is none');
}

await measure(true);
const rounds: { readonly without: Measured; readonly with: Measured }[] = [];
for (let i = 0; i < ROUNDS; i++) {
  rounds.push({ without: await measure(false), with: await measure(true) });
}
const mean = (value: (round: (typeof rounds)[number]) => number): number =>
  rounds.reduce((sum, round) => sum + value(round), 0) / rounds.length;
const without = mean((round) => round.without.cpuPercent);
const measured = mean((round) => round.with.cpuPercent);
const percent = measured - without;
const megabytes = mean((round) => round.with.bytes - round.without.bytes) / 2 ** 20;
const replayed = mean((round) => round.with.replayed / (SLOTS * TRANSACTIONS_PER_SLOT)) * 100;
console.table([
  { measured: 'CPU without the proof, percent of a core', value: without.toFixed(2) },
  { measured: 'CPU with it and its thread', value: measured.toFixed(2) },
  { measured: 'memory that it takes, MB', value: megabytes.toFixed(1) },
  { measured: 'percent of the transactions that are replayed', value: replayed.toFixed(1) },
]);
const isWithinBudget = percent <= BUDGET_PERCENT;
reportCost({
  work: 'proof at 2,000 updates and 40 transactions per second',
  measured: `${percent.toFixed(2)} % of a core, ${megabytes.toFixed(0)} MB`,
  budget: `${BUDGET_PERCENT} %`,
  isWithinBudget,
});
reportBudget(isWithinBudget);
