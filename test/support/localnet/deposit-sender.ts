import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';

const SEED = 'tidegate';

type DepositTarget = {
  readonly rpcUrl: string;
  /** The first demo wallet of a cluster with the default seed. */
  readonly wallet: string;
  readonly market: string;
  readonly reserve: string;
};

/** Builds deposits of the demo wallet with a server, signs them, and sends them to the node. No two are the same. */
export function createDepositSender({ rpcUrl, wallet, market, reserve }: DepositTarget) {
  const signer = createSigner(deriveSecretKey(SEED, 'wallet/0'));
  let count = 0;
  /** Resolves to the signature, before the confirmation. */
  return async (url: string): Promise<string> => {
    count += 1;
    const amount = `0.${String(10_000 + count)}`;
    const built = await post(`${url}/ktx/klend/deposit`, { wallet, market, reserve, amount });
    const bytes = Uint8Array.from(Buffer.from(String(built['transaction']), 'base64'));
    const text = Buffer.from(signTransaction(bytes, [signer])).toString('base64');
    const params = [text, { encoding: 'base64', skipPreflight: true }];
    const sent = await post(rpcUrl, { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params });
    if (typeof sent['result'] !== 'string') throw new Error(JSON.stringify([built, sent]));
    return sent['result'];
  };
}

async function post(url: string, body: unknown): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, unknown>;
}
