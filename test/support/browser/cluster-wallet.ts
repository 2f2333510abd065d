import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { jsonPoster } from '../http/post-json.ts';
import { waitUntil } from '../waiting/wait-until.ts';

const SOL = 1_000_000_000;

type Cluster = {
  /** Of the API. */
  readonly url: string;
  readonly rpcUrl: string;
};

/** JSON-RPC of a cluster that runs by itself. Control methods return when the change has landed. */
export const rpcOf =
  ({ rpcUrl }: Pick<Cluster, 'rpcUrl'>) =>
  async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const { body } = await jsonPoster({ url: rpcUrl })('', {
      jsonrpc: '2.0',
      id: 1,
      method,
      params,
    });
    const answer = body as { readonly result?: unknown; readonly error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };

/** A new wallet with 100 SOL, beside the page: it builds with the API, signs and sends. */
export async function createClusterWallet(cluster: Cluster, name: string) {
  const signer = createSigner(deriveSecretKey('wallet of a browser test', name));
  const { address } = signer;
  const call = rpcOf(cluster);
  const post = jsonPoster(cluster);
  await call('requestAirdrop', [address, 100 * SOL]);
  const execute = async (path: string, fields: object): Promise<void> => {
    const { status, body } = await post(path, { wallet: address, ...fields });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    const { transaction } = body as { readonly transaction: string };
    const wire = signTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')), [signer]);
    const text = Buffer.from(wire).toString('base64');
    const options = { encoding: 'base64', preflightCommitment: 'processed' };
    const signature = await call('sendTransaction', [text, options]);
    await waitUntil(async () => {
      const found = await call('getSignatureStatuses', [[signature]]);
      const [value] = (found as { value: ({ confirmationStatus: string } | null)[] }).value;
      return value != null && value.confirmationStatus !== 'processed';
    }, `${path} has landed`);
  };
  const airdrop = (mint: string, amount: bigint) =>
    call('tidegate_airdropToken', [address, mint, String(amount)]);
  return { address, execute, airdrop };
}

export type ClusterWallet = Awaited<ReturnType<typeof createClusterWallet>>;
