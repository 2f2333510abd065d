import { expect, test } from 'vitest';
import { decodeWireTransaction } from '#core/protocol/spl/transaction/wire.ts';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';

const SEED = 'tidegate';
const processed = { commitment: 'processed' };

/** A wallet of the cluster that has tokens and holds no shares of this vault. */
async function setUp() {
  const genesis = await startGenesisApi(SEED);
  const { api, rpcUrl, metadata, genesis: accounts } = genesis;
  const post = jsonPoster(api);
  const call = async (method: string, params: readonly unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(rpcUrl, { method: 'POST', headers, body });
    return ((await response.json()) as { result: unknown }).result;
  };
  const { vault } = metadata.demo;
  const fields = accounts.vaults.get(vault);
  const holders = new Set<string>(
    [...accounts.farmUsers.values()]
      .filter(({ farmState }) => farmState === fields?.vaultFarm)
      .map(({ owner }) => owner),
  );
  const tokens = [...accounts.tokenAccounts.values()].filter(
    ({ mint, amount }) => mint === fields?.tokenMint && amount > 1_000_000n,
  );
  const index = metadata.wallets.findIndex(
    (wallet) => !holders.has(wallet) && tokens.some(({ owner }) => owner === wallet),
  );
  const signer = createSigner(deriveSecretKey(SEED, `wallet/${index}`));
  const wallet = metadata.wallets[index] ?? '';
  expect(signer.address).toBe(wallet);
  const send = async (transaction: string) => {
    const wire = signTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')), [signer]);
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    return call('sendTransaction', [Buffer.from(wire).toString('base64'), options]);
  };
  return { ...genesis, post, call, send, wallet, vault };
}

test('a build includes a transaction as soon as the node has confirmed it', async () => {
  const { post, call, send, wallet, vault, advanceTime, cluster } = await setUp();
  const built = await post('/ktx/kvault/deposit', { wallet, kvault: vault, amount: '1' });
  expect(built.status, JSON.stringify(built.body)).toBe(200);
  const blockhash = built.headers.get('x-blockhash') ?? '';
  const valid = (await call('isBlockhashValid', [blockhash, processed])) as { value: boolean };
  expect(valid.value).toBe(true);
  const height = Number(await call('getBlockHeight', [processed]));
  const lastValid = Number(built.headers.get('x-last-valid-block-height'));
  expect(lastValid).toBeGreaterThan(height + 100);
  expect(lastValid).toBeLessThanOrEqual(height + 150);
  const signature = await send((built.body as { transaction: string }).transaction);
  const isConfirmed = async () => {
    advanceTime();
    const { value } = (await call('getSignatureStatuses', [[signature]])) as {
      value: readonly ({ confirmationStatus: string; slot: number } | null)[];
    };
    return value[0]?.confirmationStatus !== 'processed' && value[0] != null ? value[0] : undefined;
  };
  let status = await isConfirmed();
  for (let slots = 0; slots < 10 && status === undefined; slots++) status = await isConfirmed();
  // The state in memory does not have the transaction yet.
  expect(Number(cluster.reader.at().slot)).toBeLessThan(status?.slot ?? 0);
  const withdrawal = { wallet, kvault: vault, amount: 'U64::MAX' };
  const { status: code, body, headers } = await post('/ktx/kvault/withdraw', withdrawal);
  expect(code, JSON.stringify(body)).toBe(200);
  const wire = Uint8Array.from(
    Buffer.from((body as { transaction: string }).transaction, 'base64'),
  );
  expect(headers.get('x-blockhash')).toBe(decodeWireTransaction(wire).message.recentBlockhash);
});
