import { expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import { compareDecimals } from '#client/decimals/decimal.ts';
import { readLifetime } from '#client/requests/freshness.ts';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { startGenesisApi } from '../../support/clusters/genesis-api.ts';
import { jsonPoster } from '../../support/http/post-json.ts';

const SEED = 'tidegate';

test('a read with the slot of a transaction shows the transaction', async () => {
  const { api, rpcUrl, metadata, advanceTime } = await startGenesisApi(SEED);
  const client = createClient({ baseUrl: api.url });
  const { wallet, vault: kvault } = metadata.demo;
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const request = { jsonrpc: '2.0', id: 1, method, params };
    const { body } = await jsonPoster({ url: rpcUrl })('', request);
    return (body as { result: unknown }).result;
  };
  const path = { userPubkey: wallet, vaultPubkey: kvault };
  const position = '/kvaults/users/{userPubkey}/positions/{vaultPubkey}';
  const before = await client.get(position, { path });
  const built = await client.post('/ktx/kvault/deposit', {
    query: { preview: true },
    body: { wallet, kvault, amount: '5' },
  });
  if (!built.ok || !before.ok) throw new Error(JSON.stringify(built));
  expect(built.data.preview?.success).toBe(true);
  expect(readLifetime(built)?.lastValidBlockHeight).toBeGreaterThan(0n);

  const signer = createSigner(deriveSecretKey(SEED, 'wallet/0'));
  const unsigned = Uint8Array.from(Buffer.from(built.data.transaction, 'base64'));
  const wire = Buffer.from(signTransaction(unsigned, [signer])).toString('base64');
  const options = { encoding: 'base64', preflightCommitment: 'processed' };
  const signature = await call('sendTransaction', [wire, options]);
  const status = async () => {
    advanceTime();
    const { value } = (await call('getSignatureStatuses', [[signature]])) as {
      value: ({ slot: number; confirmationStatus: string } | null)[];
    };
    return value[0];
  };
  await expect
    .poll(status, { interval: 25 })
    .toMatchObject({ confirmationStatus: expect.stringMatching(/confirmed|finalized/) });
  const minContextSlot = (await status())?.slot ?? 0;
  const after = await client.with({ minContextSlot, retries: 20 }).get(position, { path });
  if (!after.ok) throw new Error(after.error.message);
  expect(after.freshness.slot).toBeGreaterThanOrEqual(BigInt(minContextSlot));
  expect(compareDecimals(after.data.totalShares, before.data.totalShares)).toBe(1);
});
