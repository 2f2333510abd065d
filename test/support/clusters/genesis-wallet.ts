import { expect } from 'vitest';
import { type Address, addressToBytes } from '#core/base/encoding/address.ts';
import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';
import { jsonPoster } from '../http/post-json.ts';
import type { startGenesisApi } from './genesis-api.ts';

type Genesis = Awaited<ReturnType<typeof startGenesisApi>>;

const SOL = 1_000_000_000;

/** A new wallet on the cluster of a genesis API, with 100 SOL: funded by airdrops, signs and sends. */
export async function createGenesisWallet(genesis: Genesis, name: string) {
  const secret = deriveSecretKey('genesis wallet', name);
  const signer = createSigner(secret);
  const { address } = signer;
  const { call, settle, control } = controlsOf(genesis);
  await control('requestAirdrop', [address, 100 * SOL]);
  return {
    address,
    /** As a key file of the Solana tools. */
    keyBytes: [...secret, ...addressToBytes(address)],
    call,
    settle,
    ...buildersOf(genesis, address),
    send: async (transaction: string) => {
      const wire = signTransaction(Uint8Array.from(Buffer.from(transaction, 'base64')), [signer]);
      const text = Buffer.from(wire).toString('base64');
      const options = { encoding: 'base64', preflightCommitment: 'processed' };
      const signature = String(await call('sendTransaction', [text, options]));
      await settle();
      const config = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const executed = await call('getTransaction', [signature, config]);
      expect(executed).toMatchObject({ meta: { err: null } });
      return signature;
    },
    airdrop: (mint: Address, amount: bigint) =>
      control('tidegate_airdropToken', [address, mint, String(amount)]),
    /** Reserves reload a price only after some time. */
    setPrice: async (reserve: Address, price: string) => {
      await control('tidegate_setPrice', [reserve, price]);
      await control('tidegate_warp', [{ seconds: 120 }]);
    },
    balance: async (account: Address): Promise<bigint> => {
      const config = { encoding: 'jsonParsed', commitment: 'processed' };
      const { value } = (await call('getAccountInfo', [account, config])) as ParsedAccount;
      return BigInt(value?.data.parsed.info.tokenAmount.amount ?? 0);
    },
  };
}

/** Requests of the wallet to the builders. */
function buildersOf({ api }: Genesis, wallet: Address) {
  const post = jsonPoster(api);
  return {
    /** Builds with a preview. */
    build: async (path: string, fields: object) => {
      const { status, body } = await post(`${path}?preview=true`, { wallet, ...fields });
      expect(status, JSON.stringify(body)).toBe(200);
      return body as BuiltTransaction;
    },
    refused: async (path: string, fields: object) => {
      const { status, body } = await post(path, { wallet, ...fields });
      expect(status, JSON.stringify(body)).toBe(400);
      return body as { readonly code?: string; readonly message: string };
    },
  };
}

function controlsOf({ rpcUrl, advanceTime, cluster }: Genesis) {
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const request = { jsonrpc: '2.0', id: 1, method, params };
    const { body } = await jsonPoster({ url: rpcUrl })('', request);
    expect(body).not.toHaveProperty('error');
    return (body as { result: unknown }).result;
  };
  const pollSlots = (isDone: () => boolean) =>
    expect
      .poll(
        () => {
          advanceTime();
          return isDone();
        },
        { interval: 10 },
      )
      .toBe(true);
  /** Waits until the state has everything that happened. */
  const settle = async () => {
    const slot = BigInt(Number(await call('getSlot', [{ commitment: 'processed' }])));
    await pollSlots(() => cluster.reader.at().slot >= slot);
  };
  /** Changes land in the next slot. */
  const control = async (method: string, params: readonly unknown[]) => {
    let isDone = false;
    const result = call(method, params).finally(() => {
      isDone = true;
    });
    await pollSlots(() => isDone);
    await result;
    await settle();
  };
  return { call, settle, control };
}

type ParsedAccount = {
  readonly value: {
    readonly data: {
      readonly parsed: { readonly info: { readonly tokenAmount: { amount: string } } };
    };
  } | null;
};

export type WalletPreview = {
  readonly simulated: boolean;
  readonly success: boolean;
  readonly error: unknown;
  readonly reason: string | null;
  readonly tokenChanges: readonly { readonly mint: string; readonly change: string }[];
  readonly plan: { readonly summary: string };
  readonly loan: { readonly before: unknown; readonly after: unknown } | null;
};

type BuiltTransaction = { readonly transaction: string; readonly preview: WalletPreview };
