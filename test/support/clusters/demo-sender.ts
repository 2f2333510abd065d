import { expect } from 'vitest';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { jsonPoster } from '../http/post-json.ts';
import type { startGenesisApi } from './genesis-api.ts';

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

const PATIENTLY = { interval: 25 };

/** Builds transactions of the demo wallet over HTTP, signs them, and sends them to the node. */
export function createDemoSender({ api, rpcUrl, advanceTime, metadata }: Genesis, seed: string) {
  const post = jsonPoster(api);
  const signer = createSigner(deriveSecretKey(seed, 'wallet/0'));
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const { body } = await jsonPoster({ url: rpcUrl })('', {
      jsonrpc: '2.0',
      id: 1,
      method,
      params,
    });
    expect(body).not.toHaveProperty('error');
    return (body as { result: unknown }).result;
  };
  /** Resolves to the signature after confirmation. */
  return async (path: string, request: Readonly<Record<string, string>>): Promise<string> => {
    const { status, body } = await post(`/ktx/${path}`, {
      wallet: metadata.demo.wallet,
      ...request,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    const { transaction } = body as { transaction: string };
    const wire = signTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')), [signer]);
    const sent = { encoding: 'base64', preflightCommitment: 'processed' };
    const text = Buffer.from(wire).toString('base64');
    const signature = String(await call('sendTransaction', [text, sent]));
    const confirmed = async () => {
      advanceTime();
      const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      return await call('getTransaction', [signature, config]);
    };
    await expect.poll(confirmed, PATIENTLY).toMatchObject({ meta: { err: null } });
    return signature;
  };
}
