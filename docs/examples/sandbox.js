// An integrator's test against the sandbox: a wallet of its own lends, a month passes, and interest has been earned.
//
//   node --test docs/examples/sandbox.js
//
// Starts Tidegate with its embedded cluster on free ports. Nothing leaves this machine.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  airdropFactory,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  lamports,
  signTransaction,
} from '@solana/kit';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
let server;
let tidegate;
let demo;

before(async () => {
  // in a project of yours: spawn('npx', ['tidegate', 'serve'], …)
  const program = fileURLToPath(new URL('../../packages/server/bin/tidegate.js', import.meta.url));
  const free = ['--port', '0', '--localnet-rpc-port', '0'];
  const settings = [...free, '--data-dir', folder, '--days', '1'];
  server = spawn(process.execPath, [program, 'serve', ...settings], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const text of server.stderr.setEncoding('utf8')) {
    tidegate = /Tidegate is at (\S+)/.exec(text)?.[1];
    if (tidegate !== undefined) break;
  }
  while ((await fetch(`${tidegate}/ready`)).status !== 200) await pause(100);
  ({ demo } = await (await fetch(`${tidegate}/status`)).json());
});

after(async () => {
  server.kill();
  await once(server, 'exit');
  rmSync(folder, { recursive: true });
});

test('what is lent earns interest', async () => {
  const rpc = createSolanaRpc(demo.rpcUrl);
  const rpcSubscriptions = createSolanaRpcSubscriptions(demo.wsUrl);
  const signer = await generateKeyPairSigner();
  const wallet = signer.address;

  // SOL as on any test cluster; other tokens by a method of the sandbox
  const airdrop = airdropFactory({ rpc, rpcSubscriptions });
  const sol = lamports(1_000_000_000n);
  await airdrop({ commitment: 'confirmed', recipientAddress: wallet, lamports: sol });
  const gift = [wallet, await mintOf(demo.borrow.reserve), '500000000'];
  const { slot } = await control('tidegate_airdropToken', gift);

  const { market } = demo;
  const asked = { wallet, market, reserve: demo.borrow.reserve, amount: '500' };
  // answered once what happened in that slot is known
  const path = `/ktx/klend/deposit?preview=true&minContextSlot=${slot}`;
  const { transaction, preview } = await post(path, asked);
  assert.equal(preview.success, true);
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const signed = await signTransaction([signer.keyPair], unsigned);
  const wire = getBase64EncodedWireTransaction(signed);
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  const lent = await depositOf(wallet, ([amount]) => amount !== undefined);
  assert.ok(Math.abs(lent - 500) < 0.001);

  await control('tidegate_warp', [{ seconds: 30 * 86_400 }]);
  const later = await depositOf(wallet, ([amount]) => amount > lent + 0.001);
  assert.ok(later < lent * 1.05);

  // a mistake is refused as the program refuses it, before anybody signs
  const tooMuch = { ...asked, amount: '400000' };
  const { preview: refused } = await post('/ktx/klend/borrow?preview=true', tooMuch);
  assert.equal(refused.success, false);
  assert.equal(refused.error.name, 'BorrowTooLarge');
});

const json = { method: 'POST', headers: { 'content-type': 'application/json' } };

async function post(path, body) {
  const answer = await fetch(`${tidegate}${path}`, { ...json, body: JSON.stringify(body) });
  if (answer.status === 503) {
    // the slot has not arrived within a second, on a busy machine
    await pause(Number(answer.headers.get('retry-after')) * 1000);
    return post(path, body);
  }
  assert.equal(answer.status, 200);
  return answer.json();
}

async function control(method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const { result, error } = await (await fetch(demo.rpcUrl, { ...json, body })).json();
  assert.equal(error, undefined);
  return result;
}

async function mintOf(reserve) {
  const answer = await fetch(`${tidegate}/svc-market/${demo.market}/reserves/metrics`);
  return (await answer.json()).find((each) => each.reserve === reserve).liquidityTokenMint;
}

/** Tokens that the wallet has lent, as the API shows them, once they are as expected. */
async function depositOf(wallet, isExpected) {
  for (let tries = 0; tries < 200; tries += 1) {
    const path = `/svc-market/${demo.market}/users/${wallet}/obligations`;
    const [loan] = await (await fetch(`${tidegate}${path}`)).json();
    const report =
      loan && (await (await fetch(`${tidegate}/klend/loans/${loan.obligationAddress}`)).json());
    const amounts =
      report?.loanInfo.collateral.deposits.map((each) => Number(each.tokenAmount)) ?? [];
    if (isExpected(amounts)) return amounts[0];
    await pause(100);
  }
  throw new Error('it did not come');
}
