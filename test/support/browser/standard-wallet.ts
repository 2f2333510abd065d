import type { Page } from 'playwright-core';
import { encodeBase58 } from '#core/base/encoding/base58.ts';
import { createSigner, signTransaction } from '#localnet/runtime/signer.ts';

/** What the wallet does when it is asked to sign. */
export type WalletConduct =
  | 'signs and sends'
  /** It has no feature to send. */
  | 'only signs'
  | 'rejects'
  /** It says that it has sent. */
  | 'never sends';

type WalletOptions = {
  readonly conduct: WalletConduct;
  /** The key file of a wallet: seed and address. */
  readonly key: Uint8Array;
  readonly rpcUrl: string;
  readonly chain?: string;
  /** Happens between signing and sending. */
  readonly beforeSending?: () => Promise<void>;
  /** Whether a transaction is sent that the wallet says it has sent. */
  readonly isSent?: () => boolean;
};

/** Calls a method of the embedded cluster. */
export async function callCluster(
  rpcUrl: string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

/** Sends without a simulation, so that a transaction can fail on chain. */
export const sendToCluster = (rpcUrl: string, transaction: string): Promise<unknown> =>
  callCluster(rpcUrl, 'sendTransaction', [
    transaction,
    { encoding: 'base64', skipPreflight: true },
  ]);

/** Adds a wallet of the Wallet Standard, named `Test Wallet`, to a page and to its reloads. The key stays in the test. */
export async function addWallet(page: Page, options: WalletOptions): Promise<void> {
  const { conduct, key, rpcUrl, chain = 'solana:localnet', beforeSending, isSent } = options;
  const signer = createSigner(key.subarray(0, 32));
  await page.exposeFunction('signInTest', async (unsigned: string) => {
    const wire = signTransaction(Uint8Array.from(Buffer.from(unsigned, 'base64')), [signer]);
    const signed = Buffer.from(wire).toString('base64');
    const signature = Buffer.from(wire.subarray(1, 65)).toString('base64');
    if (conduct === 'signs and sends') {
      await beforeSending?.();
      if (isSent?.() ?? true) await sendToCluster(rpcUrl, signed);
    }
    return { signed, signature };
  });
  await page.addInitScript({
    content: walletScript(encodeBase58(key.subarray(32)), conduct, chain),
  });
}

const features: Readonly<Record<WalletConduct, string>> = {
  'signs and sends': "'solana:signAndSendTransaction': { signAndSendTransaction: send }",
  'never sends': "'solana:signAndSendTransaction': { signAndSendTransaction: send }",
  'only signs': "'solana:signTransaction': { signTransaction: sign }",
  rejects: "'solana:signAndSendTransaction': { signAndSendTransaction: reject }",
};

const walletScript = (address: string, conduct: WalletConduct, chain: string): string => `
  const toBytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  const inTest = ({ transaction }) => window.signInTest(btoa(String.fromCharCode(...transaction)));
  const send = async (input) => [{ signature: toBytes((await inTest(input)).signature) }];
  const sign = async (input) => [{ signedTransaction: toBytes((await inTest(input)).signed) }];
  const reject = async () => { throw new Error('User rejected the request.'); };
  const account = { address: '${address}', chains: ['${chain}'] };
  const wallet = {
    version: '1.0.0', name: 'Test Wallet', chains: ['${chain}'], accounts: [account],
    features: {
      'standard:connect': { connect: async () => ({ accounts: [account] }) },
      ${features[conduct]},
    },
  };
  const announce = ({ register }) => register(wallet);
  window.addEventListener('wallet-standard:app-ready', ({ detail }) => announce(detail));
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: announce }));
`;
