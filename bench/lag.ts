import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { readWalletKey } from '../test/support/localnet/wallet-keys.ts';
import { startTidegateWithHistory } from './http/measured-servers.ts';
import { reportBudget, sized } from './smoke.ts';

/**
 * Time from the confirmation of a transaction on the embedded cluster until each kind of read shows it: current state,
 * lists of transactions and profit and loss. Reads are repeated every few milliseconds, so that their own duration is
 * part of the lag.
 */
const BUDGET_MS = 1_000;
const ROUNDS = sized(40, 2);
const POLL_MS = 5;

type Demo = {
  readonly rpcUrl: string;
  readonly wallet: string;
  readonly market: string;
  readonly vault: string;
  readonly obligation: string;
  readonly deposit: { readonly reserve: string; readonly amount: string };
};

async function measure(url: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const { demo } = (await getJson(`${url}/status`)) as { demo: Demo };
  const loan = `/v2/svc-market/${demo.market}/obligations/${demo.obligation}`;
  const lags = new Map<string, number[]>();
  const note = (name: string, ms: number) => lags.set(name, [...(lags.get(name) ?? []), ms]);
  for (let round = 0; round < ROUNDS; round++) {
    const before = JSON.stringify(await getJson(`${url}/klend/loans/${demo.obligation}`));
    const amountBefore = depositOf(before);
    const signature = await send(url, demo);
    const confirmedAt = await waitForConfirmation(demo.rpcUrl, signature);
    const shown = (name: string, path: string, isShown: (text: string) => boolean) =>
      waitUntil(url + path, isShown).then((at) => note(name, Math.max(0, at - confirmedAt)));
    await Promise.all([
      shown('loan', `/klend/loans/${demo.obligation}`, (text) => depositOf(text) > amountBefore),
      shown('loan transactions', `${loan}/transactions?sort=desc`, (text) =>
        text.includes(signature),
      ),
      shown('wallet transactions', `/v2/svc-market/users/${demo.wallet}/transactions`, (text) =>
        text.includes(signature),
      ),
      shown('profit and loss', `${loan}/pnl`, () => true),
    ]);
  }
  return lags;
}

function depositOf(text: string): number {
  return Number((/"tokenAmount":"([\d.]+)"/.exec(text) ?? [])[1] ?? 0);
}

async function getJson(url: string): Promise<unknown> {
  return (await fetch(url)).json();
}

async function post(url: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}

async function send(url: string, { wallet, market, deposit, rpcUrl }: Demo): Promise<string> {
  const built = await post(`${url}/ktx/klend/deposit`, { wallet, market, ...deposit });
  const signer = createSigner(readWalletKey(folder, 0).slice(0, 32));
  const bytes = Uint8Array.from(Buffer.from(String(built['transaction']), 'base64'));
  const text = Buffer.from(signTransaction(bytes, [signer])).toString('base64');
  const params = [text, { encoding: 'base64', skipPreflight: true }];
  const sent = await post(rpcUrl, { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params });
  if (typeof sent['result'] !== 'string') throw new Error(JSON.stringify(sent));
  return sent['result'];
}

async function waitForConfirmation(rpcUrl: string, signature: string): Promise<number> {
  for (;;) {
    const params = [[signature]];
    const body = { jsonrpc: '2.0', id: 1, method: 'getSignatureStatuses', params };
    const { result } = (await post(rpcUrl, body)) as {
      result: { value: ({ err: unknown; confirmationStatus: string } | null)[] };
    };
    const [status] = result.value;
    if (status?.err) throw new Error(JSON.stringify(status.err));
    if (status && status.confirmationStatus !== 'processed') return performance.now();
    await pause(POLL_MS);
  }
}

async function waitUntil(url: string, isShown: (text: string) => boolean): Promise<number> {
  for (;;) {
    const response = await fetch(url);
    const text = await response.text();
    if (response.status === 200 && isShown(text)) return performance.now();
    await pause(POLL_MS);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'tidegate-lag-'));
const server = await startTidegateWithHistory(folder, 1);
try {
  const lags = await measure(server.url);
  let worst = 0;
  for (const [name, values] of lags) {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (part: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    worst = Math.max(worst, at(0.99));
    console.log(
      `${name.padEnd(22)} p50 ${at(0.5).toFixed(0).padStart(5)} ms  p99 ${at(0.99).toFixed(0).padStart(5)} ms`,
    );
  }
  console.log(`budget: p99 at most ${BUDGET_MS} ms, ${ROUNDS} transactions each`);
  reportBudget(worst <= BUDGET_MS);
} finally {
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
