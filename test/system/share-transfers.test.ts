import { expect, test } from 'vitest';
import { toAddress } from '#core/base/encoding/address.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { createSigner } from '#localnet/runtime/signer.ts';
import { transferTokensTo } from '#localnet/simulation/actions/token-instructions.ts';
import { jsonPoster } from '../support/http/post-json.ts';
import { namedSigner, signedWire } from '../support/localnet/signed-transactions.ts';
import { readWalletKey } from '../support/localnet/wallet-keys.ts';
import {
  type RunningServer,
  simulatedDataDir,
  startServerAsIs,
  waitUntilReady,
} from '../support/processes/run-tidegate.ts';
import { seededRandom } from '../support/random/json-mutations.ts';

/** Kills. For more: `KILLS=50 npx vitest run test/system/share-transfers.test.ts`. */
const KILLS = Number(process.env['KILLS'] ?? 2);
const PER_KILL_MS = 100_000;
const random = seededRandom(4_711);

type Demo = { readonly vault: string; readonly rpcUrl: string };
type Vault = {
  readonly state: { readonly sharesMint: string; readonly sharesMintDecimals: number };
};
type Listed = { readonly transaction: string; readonly instruction: string };

const getFrom = async ({ url }: RunningServer, path: string): Promise<unknown> =>
  (await fetch(`${url}${path}`)).json();

const readDemo = async (server: RunningServer): Promise<Demo> =>
  ((await getFrom(server, '/status')) as { demo: Demo }).demo;

async function callNode(server: RunningServer, method: string, params: readonly unknown[]) {
  const { rpcUrl } = await readDemo(server);
  const { body } = await jsonPoster({ url: rpcUrl })('', { jsonrpc: '2.0', id: 1, method, params });
  expect(body).not.toHaveProperty('error');
  return (body as { result: unknown }).result;
}

async function startReady(dataDir: string): Promise<RunningServer> {
  const server = await startServerAsIs({ DATA_DIR: dataDir });
  await waitUntilReady(server.url);
  return server;
}

test('transfers of shares shortly before a kill are listed once by the next start', {
  timeout: (KILLS + 2) * PER_KILL_MS,
}, async () => {
  const dataDir = await simulatedDataDir();
  const sender = createSigner(readWalletKey(dataDir, 0).subarray(0, 32));
  let server = await startReady(dataDir);
  const { vault } = await readDemo(server);
  const { state } = (await getFrom(server, `/kvaults/vaults/${vault}`)) as Vault;
  const token = {
    mint: toAddress(state.sharesMint),
    decimals: state.sharesMintDecimals,
    tokenProgram: TOKEN_PROGRAM,
  };
  const send = async (number: number): Promise<string> => {
    const latest = await callNode(server, 'getLatestBlockhash', [{ commitment: 'processed' }]);
    const { blockhash } = (latest as { value: { blockhash: string } }).value;
    const to = namedSigner(`receiver ${number % 3}`).address;
    const amount = BigInt(1 + number);
    const instructions = transferTokensTo(token, { from: sender.address, to, amount });
    const wire = signedWire({ instructions, signers: [sender], blockhash });
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    const text = Buffer.from(wire).toString('base64');
    return String(await callNode(server, 'sendTransaction', [text, options]));
  };
  const listed = async (): Promise<readonly string[]> => {
    const path = `/kvaults/users/${sender.address}/transactions`;
    const rows = (await getFrom(server, path)) as Listed[];
    return rows.flatMap((row) => (row.instruction === 'transferOut' ? [row.transaction] : []));
  };
  /** Sent transactions that the node has. */
  const landed = async (): Promise<readonly string[]> => {
    const config = { searchTransactionHistory: true };
    const statuses = await callNode(server, 'getSignatureStatuses', [sent, config]);
    const { value } = statuses as { value: readonly unknown[] };
    return sent.filter((_, index) => value[index] !== null).toSorted();
  };
  const before = await listed();
  const sent: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const transfers = 2 + random(6);
    for (let i = 0; i < transfers; i++) sent.push(await send(sent.length));
    await expect.poll(landed, { interval: 5 }).toContain(sent.at(-1));
    server.process.kill(random(2) === 0 ? 'SIGKILL' : 'SIGTERM');
    await server.finished;
    server = await startReady(dataDir);
    // the node itself may have lost the last ones
    const expected = await landed();
    expect(expected.length).toBeGreaterThan(0);
    const known = async () => (await listed()).filter((each) => !before.includes(each)).toSorted();
    await expect.poll(known, { timeout: PER_KILL_MS, interval: 100 }).toEqual(expected);
  }
});
