import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startLocalnet } from '@tidegate/localnet';
import { toLamports } from '#core/base/numbers/lamports.ts';
import { systemTransfer } from '#core/protocol/spl/instructions/system-program.ts';
import { SYSTEM_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createSigner } from '#localnet/runtime/signer.ts';
import { signedWire } from '../test/support/localnet/signed-transactions.ts';
import { reportCost } from './report-cost.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * The cluster for tests: a new process until it has one without history, beside an empty LiteSVM; a snapshot and a
 * revert; transfers per second of CPU, sent by a method and over RPC.
 */
const STARTS = sized(7, 1);
const ROUNDS = sized(200, 3);
const TRANSFERS = sized(2_000, 20);
const BUDGETS = { startMs: 1_000, snapshotMs: 5, revertMs: 10, transfersPerSecond: 1_000 };

/** An installed package loads its bundle. */
const bundle = new URL('../packages/localnet/dist/bundle/run-sandbox.js', import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));
execFileSync(process.execPath, ['scripts/bundle-localnet.js'], { cwd: root });

/** What a process does until a test can begin; prints milliseconds since its start, and of CPU. */
const STARTS_OF = {
  sandbox: `const { runSandbox } = await import(${JSON.stringify(bundle)});
    const net = await runSandbox({ seed: 'bench', days: 0, clock: 'on-demand' });`,
  litesvm: `const { LiteSVM } = await import('litesvm'); const net = new LiteSVM();`,
} as const;

type StartTime = { readonly wallMs: number; readonly cpuMs: number };

function startProcess(name: keyof typeof STARTS_OF): StartTime {
  const script = `${STARTS_OF[name]}
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ wallMs: performance.now(), cpuMs: (user + system) / 1000 }));
    process.exit();`;
  const args = ['--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }));
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function measureStart(name: keyof typeof STARTS_OF): StartTime {
  const runs = Array.from({ length: STARTS }, () => startProcess(name));
  return {
    wallMs: median(runs.map(({ wallMs }) => wallMs)),
    cpuMs: median(runs.map(({ cpuMs }) => cpuMs)),
  };
}

function reportStarts(): boolean {
  const [ours, theirs] = [measureStart('sandbox'), measureStart('litesvm')];
  console.log(
    `an empty LiteSVM: ${theirs.wallMs.toFixed(0)} ms, ${theirs.cpuMs.toFixed(0)} ms CPU`,
  );
  const isWithinBudget = ours.cpuMs <= BUDGETS.startMs;
  const measured = `${ours.wallMs.toFixed(0)} ms, ${ours.cpuMs.toFixed(0)} ms CPU`;
  reportCost({
    work: 'sandbox with days 0, from the start of the process',
    measured,
    budget: `${BUDGETS.startMs} ms CPU`,
    isWithinBudget,
  });
  return isWithinBudget;
}

/** CPU time per round, in milliseconds. */
function cpuMsOf(rounds: number, work: (round: number) => void): number {
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) work(round);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rounds;
}

function reportSnapshots(net: Sandbox): boolean {
  const snapshotMs = cpuMsOf(ROUNDS, () => net.snapshot());
  const id = net.snapshot();
  const revertMs = cpuMsOf(ROUNDS, () => net.revert(id));
  const costs = [
    { work: 'snapshot', ms: snapshotMs, limit: BUDGETS.snapshotMs },
    { work: 'revert', ms: revertMs, limit: BUDGETS.revertMs },
  ].map(({ work, ms, limit }) => ({
    work,
    measured: `${ms.toFixed(2)} ms CPU`,
    budget: `${limit} ms`,
    isWithinBudget: ms <= limit,
  }));
  for (const cost of costs) reportCost(cost);
  return costs.every(({ isWithinBudget }) => isWithinBudget);
}

async function blockhash({ rpcUrl }: Sandbox): Promise<string> {
  const { value } = await call(rpcUrl, 'getLatestBlockhash', []);
  return value.blockhash;
}

async function call(url: string, method: string, params: readonly unknown[]) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result } = (await response.json()) as { result: { value: { blockhash: string } } };
  return result;
}

async function transfers(net: Sandbox): Promise<readonly Uint8Array[]> {
  const payer = createSigner(net.wallet(0).secretKey.subarray(0, 32));
  await net.airdrop(payer.address, 1_000_000_000_000n);
  const recent = await blockhash(net);
  return Array.from({ length: TRANSFERS }, (_, i) => {
    const transfer = systemTransfer.build(SYSTEM_PROGRAM, {
      accounts: { from: payer.address, to: net.wallet(1).address },
      args: { lamports: toLamports(BigInt(i + 1)) },
    });
    return signedWire({ instructions: [transfer], signers: [payer], blockhash: recent });
  });
}

/** Executes each twice: as preflight and in its slot. The blockhash is valid for 150 slots. */
async function reportTransactions(net: Sandbox): Promise<boolean> {
  const wires = await transfers(net);
  const before = process.cpuUsage();
  let failed = 0;
  for (let start = 0; start < wires.length; start += 100) {
    const sent = await Promise.all(wires.slice(start, start + 100).map((wire) => net.send(wire)));
    failed += sent.filter(({ error }) => error !== undefined).length;
  }
  const { user, system } = process.cpuUsage(before);
  const perSecond = wires.length / ((user + system) / 1_000_000);
  const isWithinBudget = failed === 0 && perSecond >= BUDGETS.transfersPerSecond;
  reportCost({
    work: 'signed transfers',
    measured: `${perSecond.toFixed(0)} per second of CPU, ${failed} failed`,
    budget: `${BUDGETS.transfersPerSecond} per second`,
    isWithinBudget,
  });
  return isWithinBudget;
}

const isStartWithin = reportStarts();
const net = await startLocalnet({ seed: 'bench', days: 0, clock: 'on-demand' });
try {
  const areSnapshotsWithin = reportSnapshots(net);
  const areTransactionsWithin = await reportTransactions(net);
  reportBudget(isStartWithin && areSnapshotsWithin && areTransactionsWithin);
} finally {
  await net.stop();
}
