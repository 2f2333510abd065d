import { createHash } from 'node:crypto';
import { addressFromBytes } from '#core/base/encoding/address.ts';
import { toSlot, toUnixSeconds } from '#core/base/time.ts';
import { obligation } from '#core/protocol/klend/layout/obligation.ts';
import { ClusterState } from '#core/state/cluster-state.ts';
import type { FeedMessage } from '#server/feed/feed-message.ts';
import { decodeMessage, encodeMessageAsync } from '#server/feed/message-codec.ts';
import { silentLog } from '../test/support/fakes/silent-log.ts';
import { goldenCluster } from '../test/support/golden/golden.ts';
import { generateObligations } from './generated/generated-obligations.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * A snapshot of the state, from the writer to an api process that starts: rows as they are stored, against every account
 * unpacked and packed again.
 */
const LOANS = sized(100_000, 500);
const STEP = 10_000;
const CHUNK_BYTES = 2 ** 20;
const BUDGET = { ratio: 3, microsPerLoan: 25 };
const SLOT = toSlot(100n);

const originals = [...goldenCluster().accounts.values()].filter(
  (raw) => obligation.matches(raw) && obligation.view(raw).depositedValueSf > 0n,
);

function createState(): ClusterState {
  const state = new ClusterState({ log: silentLog });
  for (let start = 0; start < LOANS; start += STEP) {
    for (const [i, account] of generateObligations(
      originals,
      Math.min(STEP, LOANS - start),
    ).entries()) {
      const key = createHash('sha256')
        .update(`loan ${start + i}`)
        .digest();
      state.apply({ address: addressFromBytes(key), slot: SLOT, account });
    }
  }
  state.setAt({ slot: SLOT, unix: toUnixSeconds(1_790_000_000n) });
  return state;
}

function* rowsOf(state: ClusterState): Iterable<FeedMessage> {
  const { rows } = state.copies.read(CHUNK_BYTES);
  for (const each of rows) yield { accounts: [], rows: each };
}

function* accountsOf(state: ClusterState): Iterable<FeedMessage> {
  let accounts: FeedMessage['accounts'][number][] = [];
  let size = 0;
  for (const { address, owner, data, slot } of state.accounts()) {
    accounts.push({ address, slot, account: { owner, data: data.slice() } });
    size += data.length;
    if (size < CHUNK_BYTES) continue;
    yield { accounts };
    accounts = [];
    size = 0;
  }
  yield { accounts };
}

async function write(messages: Iterable<FeedMessage>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for (const message of messages) chunks.push(await encodeMessageAsync(message));
  return chunks;
}

function load(chunks: readonly Uint8Array[]): void {
  const state = new ClusterState({ log: silentLog });
  for (const chunk of chunks) {
    const { accounts, rows } = decodeMessage(chunk);
    if (rows !== undefined) state.copies.add(rows);
    for (const { address, slot, account } of accounts) {
      if (typeof account !== 'string') state.apply({ address, slot, account });
    }
  }
  if (state.statistics().obligations !== LOANS) throw new Error('loans are missing');
}

const cpuMillis = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

type Cost = {
  readonly writeMillis: number;
  readonly loadMillis: number;
  readonly megabytes: number;
};

async function measure(messages: Iterable<FeedMessage>): Promise<Cost> {
  const start = cpuMillis();
  const chunks = await write(messages);
  const written = cpuMillis();
  load(chunks);
  const megabytes = chunks.reduce((sum, { length }) => sum + length, 0) / 1e6;
  return { writeMillis: written - start, loadMillis: cpuMillis() - written, megabytes };
}

const perLoan = (millis: number): number => Number(((millis * 1_000) / LOANS).toPrecision(3));
const state = createState();
const byRows = await measure(rowsOf(state));
const byAccounts = await measure(accountsOf(state));
console.table(
  [
    { snapshot: 'rows', ...byRows },
    { snapshot: 'accounts', ...byAccounts },
  ].map(({ snapshot, writeMillis, loadMillis, megabytes }) => ({
    snapshot,
    'write, µs of CPU per loan': perLoan(writeMillis),
    'load, µs of CPU per loan': perLoan(loadMillis),
    'size, MB': Number(megabytes.toPrecision(3)),
  })),
);
const [rows, accounts] = [byRows, byAccounts].map((cost) => cost.writeMillis + cost.loadMillis);
const ratio = (accounts ?? 0) / (rows ?? 1);
const isWithinBudget = ratio >= BUDGET.ratio && perLoan(rows ?? 0) <= BUDGET.microsPerLoan;
reportCost({
  work: `snapshot of ${LOANS} loans, written and loaded`,
  measured: `${perLoan(rows ?? 0)} µs of CPU per loan, account by account ${ratio.toFixed(1)} times as much`,
  budget: `${BUDGET.microsPerLoan} µs, at least ${BUDGET.ratio} times`,
  isWithinBudget,
});
reportBudget(isWithinBudget);
