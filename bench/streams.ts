import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ReceivedEvent, StreamClient } from '../test/support/http/stream-client.ts';
import { createDepositSender } from '../test/support/localnet/deposit-sender.ts';
import { median } from './compare/median.ts';
import {
  type MeasuredServer,
  startTidegateWithHistory,
  stopTidegate,
} from './http/measured-servers.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * Many clients of one process. All stream the same loan, which changes with each slot: what one more client costs in
 * memory and CPU, and how long an update takes from the first to the last client. Then they stream the events of a
 * market over a restart, and all must have the same events, each once.
 */
const CLIENTS = sized(1_000, 20);
const MEASURED_MS = sized(20_000, 2_000);
const SETTLE_MS = sized(10_000, 500);
const EVENTS = sized(20, 1);
const MEMORY_SAMPLES = sized(20, 2);
const SAMPLE_MS = sized(1_000, 100);
const MAX_BYTES_PER_CLIENT = 50_000;
const MAX_MS_PER_SLOT = 50;
const DAYS = 1;
const ENV = { STREAMS_PER_CLIENT: '1000000', STREAMS: '1000000' };

type Demo = {
  readonly rpcUrl: string;
  readonly wallet: string;
  readonly obligation: string;
  readonly market: string;
  readonly deposit: { readonly reserve: string };
};

async function readDemo(url: string): Promise<Demo> {
  return ((await (await fetch(`${url}/status`)).json()) as { demo: Demo }).demo;
}

type Memory = { readonly resident: number; readonly used: number };

async function readMemory({ url }: MeasuredServer): Promise<Memory> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
  const used = metric('nodejs_heap_size_used_bytes') + metric('nodejs_external_memory_bytes');
  return { resident: metric('process_resident_memory_bytes'), used };
}

/** The least of several samples: what is left after the garbage collector has run. */
async function leastMemory(server: MeasuredServer): Promise<Memory> {
  let least = await readMemory(server);
  for (let sample = 1; sample < MEMORY_SAMPLES; sample += 1) {
    await pause(SAMPLE_MS);
    const { resident, used } = await readMemory(server);
    least = {
      resident: Math.min(least.resident, resident),
      used: Math.min(least.used, used),
    };
  }
  return least;
}

/** Opens streams one after another, in small groups. */
async function openAll(
  count: number,
  url: string,
  headersOf: (index: number) => Record<string, string> = () => ({}),
): Promise<StreamClient[]> {
  const clients: StreamClient[] = [];
  while (clients.length < count) {
    const group = Array.from({ length: Math.min(20, count - clients.length) }, (_, index) =>
      StreamClient.open(url, headersOf(clients.length + index)),
    );
    clients.push(...(await Promise.all(group)));
  }
  return clients;
}

/** CPU seconds and slots while the clients read. */
async function measureCpu(server: MeasuredServer, clients: readonly StreamClient[]) {
  for (const client of clients) client.events.length = 0;
  const before = await server.cpuSeconds();
  const start = performance.now();
  await pause(MEASURED_MS);
  const seconds = (performance.now() - start) / 1_000;
  const cpu = (await server.cpuSeconds()) - before;
  const slots = clients[0]?.ids('update').length ?? 0;
  return { cpu, seconds, slots };
}

/** Milliseconds from the first to the last client, for each slot that all have. */
function spreads(clients: readonly StreamClient[]): number[] {
  const times = new Map<string, number[]>();
  for (const { events } of clients) {
    for (const { event, id = '', receivedAt } of events) {
      if (event !== 'update') continue;
      const known = times.get(id);
      if (known === undefined) times.set(id, [receivedAt]);
      else known.push(receivedAt);
    }
  }
  return [...times.values()]
    .filter((each) => each.length === clients.length)
    .map((each) => each.reduce((a, b) => Math.max(a, b)) - each.reduce((a, b) => Math.min(a, b)));
}

async function measureState(server: MeasuredServer): Promise<boolean> {
  const { obligation } = await readDemo(server.url);
  const url = `${server.url}/klend/loans/${obligation}`;
  const first = await openAll(1, url);
  await pause(SETTLE_MS);
  const alone = await measureCpu(server, first);
  const before = await leastMemory(server);
  const clients = await openAll(CLIENTS, url);
  await pause(SETTLE_MS);
  const after = await leastMemory(server);
  // the resident memory has room that was free before
  const growth = Math.max(after.resident - before.resident, after.used - before.used);
  const bytes = growth / CLIENTS;
  const shared = await measureCpu(server, clients);
  const perSlot = ({ cpu, slots }: typeof shared) => (cpu * 1_000) / slots;
  const added = perSlot(shared) - perSlot(alone);
  const spread = spreads(clients);
  const updates = clients.reduce((sum, client) => sum + client.ids('update').length, 0);
  for (const client of [...first, ...clients]) client.close();
  console.log(
    `${CLIENTS} clients, ${shared.slots} slots in ${shared.seconds.toFixed(0)} s, ${updates} updates; CPU per slot ${perSlot(alone).toFixed(1)} ms with one client, ${perSlot(shared).toFixed(1)} ms with all`,
  );
  console.log(
    `first to last client: median ${median(spread).toFixed(1)} ms, most ${spread.reduce((a, b) => Math.max(a, b), 0).toFixed(1)} ms`,
  );
  const isWithinMemory = bytes <= MAX_BYTES_PER_CLIENT;
  const isWithinCpu = added <= MAX_MS_PER_SLOT;
  reportCost({
    work: `memory per client, ${CLIENTS} streams of a loan`,
    measured: `${(bytes / 1_000).toFixed(1)} KB`,
    budget: `${MAX_BYTES_PER_CLIENT / 1_000} KB`,
    isWithinBudget: isWithinMemory,
  });
  reportCost({
    work: `CPU per slot, ${CLIENTS} streams of a loan`,
    measured: `${added.toFixed(1)} ms`,
    budget: `${MAX_MS_PER_SLOT} ms`,
    isWithinBudget: isWithinCpu,
  });
  return isWithinMemory && isWithinCpu;
}

const isTransaction = ({ event }: ReceivedEvent): boolean => event === 'transaction';

/** Sends deposits, and waits until each client has all of them. */
async function depositAll({ url }: MeasuredServer, clients: readonly StreamClient[]) {
  const demo = await readDemo(url);
  const { reserve } = demo.deposit;
  const deposit = createDepositSender({ ...demo, reserve });
  const sent: string[] = [];
  for (let count = 0; count < EVENTS; count += 1) sent.push(await deposit(url));
  const has = (client: StreamClient) => {
    const signatures = client.data('transaction').map((data) => Object(data).signature);
    return sent.every((signature) => signatures.includes(signature));
  };
  while (!clients.every(has)) await pause(50);
}

/** Stops and starts the server while the market is used. Resolves to the server that runs then. */
async function measureRestart(
  server: MeasuredServer,
  folder: string,
): Promise<{ readonly server: MeasuredServer; readonly isComplete: boolean }> {
  const { market } = await readDemo(server.url);
  const path = `/stream/transactions?market=${market}`;
  const before = await openAll(CLIENTS, `${server.url}${path}`);
  await depositAll(server, before);
  const { port } = new URL(server.url);
  await stopTidegate(server);
  const restarted = await startTidegateWithHistory(folder, DAYS, { ...ENV, PORT: port });
  const after = await openAll(CLIENTS, `${restarted.url}${path}`, (index) => ({
    'last-event-id': before[index]?.lastEventId ?? '',
  }));
  await depositAll(restarted, after);
  const histories = before.map((client, index) =>
    [...client.events, ...(after[index]?.events ?? [])].filter(isTransaction).map(({ id }) => id),
  );
  // each client has the events from its own begin on; the common end of all must be the same
  const complete = await StreamClient.open(`${restarted.url}${path}&cursor=0`);
  const last = after[0]?.lastEventId ?? '';
  while (!complete.ids('transaction').includes(last)) await pause(50);
  const all = complete.ids('transaction');
  const isComplete = histories.every((ids) => {
    const from = all.indexOf(ids[0]);
    return from >= 0 && ids.every((id, index) => id === all[from + index]);
  });
  for (const client of [...after, complete]) client.close();
  const closed = before.filter((client) => client.data('closed').length === 1).length;
  console.log(
    `restart: ${closed} of ${CLIENTS} clients were told; ${histories[0]?.length ?? 0} events each, ${isComplete ? 'none lost or repeated' : 'SOME LOST OR REPEATED'}`,
  );
  return { server: restarted, isComplete };
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-streams-'));
let server = await startTidegateWithHistory(folder, DAYS, ENV);
try {
  const isWithinCosts = await measureState(server);
  const restart = await measureRestart(server, folder);
  server = restart.server;
  if (!restart.isComplete) process.exitCode = 1;
  reportBudget(isWithinCosts && restart.isComplete);
} finally {
  await stopTidegate(server);
  rmSync(folder, { recursive: true, force: true });
}
