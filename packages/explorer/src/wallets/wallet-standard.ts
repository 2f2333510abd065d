import { signal } from '@preact/signals';
import { decodeBase64, encodeBase58, encodeBase64 } from '../format/bytes.ts';

/**
 * The part of the Wallet Standard (github.com/wallet-standard/wallet-standard) that a page needs: wallets announce
 * themselves by events of the window, and sign through named features.
 */
export type StandardWallet = {
  readonly name: string;
  readonly chains: readonly string[];
  readonly accounts: readonly WalletAccount[];
  readonly features: Readonly<Record<string, unknown>>;
};

type WalletAccount = { readonly address: string; readonly chains: readonly string[] };

type Connect = {
  connect(input?: {
    readonly silent: boolean;
  }): Promise<{ readonly accounts: readonly WalletAccount[] }>;
};

type Disconnect = { disconnect(): Promise<void> };

type Events = {
  on(
    event: 'change',
    listener: (changes: { readonly accounts?: readonly WalletAccount[] }) => void,
  ): () => void;
};

type SignInput = {
  readonly account: WalletAccount;
  readonly transaction: Uint8Array;
  readonly chain: string;
};

type SignAndSend = {
  signAndSendTransaction(input: SignInput): Promise<readonly { readonly signature: Uint8Array }[]>;
};

type Sign = {
  signTransaction(input: SignInput): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
};

const CONNECT = 'standard:connect';
const DISCONNECT = 'standard:disconnect';
const EVENTS = 'standard:events';
const SIGN_AND_SEND = 'solana:signAndSendTransaction';
const SIGN = 'solana:signTransaction';

type Registry = { register(...wallets: readonly StandardWallet[]): () => void };

const registered = signal<readonly StandardWallet[]>([]);

/** Listens for wallets, also those that announce themselves later. */
export function watchWallets(): void {
  const registry: Registry = {
    register(...added) {
      registered.value = [...registered.peek(), ...added];
      return () => {
        registered.value = registered.peek().filter((wallet) => !added.includes(wallet));
      };
    },
  };
  window.addEventListener('wallet-standard:register-wallet', (event) => {
    const { detail } = event as CustomEvent<(target: Registry) => void>;
    detail(registry);
  });
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: registry }));
}

/** Wallets in this browser that sign for the chain. */
export const walletsFor = (chain: string | undefined): readonly StandardWallet[] =>
  chain === undefined ? [] : registered.value.filter((wallet) => canSign(wallet, chain));

const canSign = ({ features, chains }: StandardWallet, chain: string): boolean =>
  chains.includes(chain) && (SIGN_AND_SEND in features || SIGN in features);

type Connected =
  | { readonly kind: 'connected'; readonly address: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Asks the wallet for its address on the chain. */
export async function connectWallet(wallet: StandardWallet, chain: string): Promise<Connected> {
  try {
    const [account] = await accountsOf(wallet, chain);
    if (account === undefined) {
      return { kind: 'failed', reason: `${wallet.name} has no account for ${chain}.` };
    }
    return { kind: 'connected', address: account.address };
  } catch (error) {
    return { kind: 'failed', reason: `${wallet.name}: ${messageOf(error)}` };
  }
}

/** The addresses that the wallet gives without asking its owner; none if it does not. */
export async function grantedAddresses(wallet: StandardWallet, chain: string): Promise<string[]> {
  try {
    const accounts = await accountsOf(wallet, chain, { silent: true });
    return accounts.map(({ address }) => address);
  } catch {
    return [];
  }
}

/** Calls back with the addresses on the chain whenever they change. Returns what ends it. */
export function followAddresses(
  wallet: StandardWallet,
  chain: string,
  onChange: (addresses: readonly string[]) => void,
): () => void {
  const feature = wallet.features[EVENTS] as Events | undefined;
  const end = feature?.on('change', ({ accounts }) => {
    if (accounts !== undefined) onChange(accountsOn(accounts, chain).map(({ address }) => address));
  });
  return end ?? (() => undefined);
}

/** Wallets that cannot do it forget the page in their own way. */
export async function disconnectWallet(wallet: StandardWallet): Promise<void> {
  try {
    await (wallet.features[DISCONNECT] as Disconnect | undefined)?.disconnect();
  } catch {
    // the page has forgotten the wallet already
  }
}

async function accountsOf(
  wallet: StandardWallet,
  chain: string,
  options?: { readonly silent: boolean },
): Promise<readonly WalletAccount[]> {
  const feature = wallet.features[CONNECT] as Connect | undefined;
  const { accounts } = feature === undefined ? wallet : await feature.connect(options);
  return accountsOn(accounts, chain);
}

const accountsOn = (accounts: readonly WalletAccount[], chain: string): readonly WalletAccount[] =>
  accounts.filter(({ chains }) => chains.includes(chain));

type WalletResult =
  | { readonly kind: 'sent'; readonly signature: string }
  /** The wallet signed and did not send. */
  | { readonly kind: 'signed'; readonly transaction: string }
  | { readonly kind: 'failed'; readonly reason: string };

type SignRequest = {
  readonly address: string;
  /** Base64. */
  readonly transaction: string;
  /** Such as `solana:mainnet`. */
  readonly chain: string;
};

/** Signs and sends, or only signs if the wallet can do no more. */
export async function signWithWallet(
  wallet: StandardWallet,
  { address, transaction, chain }: SignRequest,
): Promise<WalletResult> {
  try {
    const accounts = await accountsOf(wallet, chain);
    const account = accounts.find((each) => each.address === address);
    if (account === undefined) {
      const reason = `${wallet.name} does not have the account ${address} on ${chain}.`;
      return { kind: 'failed', reason };
    }
    const input = { account, transaction: decodeBase64(transaction), chain };
    const sender = wallet.features[SIGN_AND_SEND] as SignAndSend | undefined;
    if (sender !== undefined) {
      const [result] = await sender.signAndSendTransaction(input);
      if (result !== undefined) return { kind: 'sent', signature: encodeBase58(result.signature) };
    }
    const signer = wallet.features[SIGN] as Sign | undefined;
    const [signed] = (await signer?.signTransaction(input)) ?? [];
    if (signed === undefined) return { kind: 'failed', reason: `${wallet.name} signed nothing.` };
    return { kind: 'signed', transaction: encodeBase64(signed.signedTransaction) };
  } catch (error) {
    return { kind: 'failed', reason: `${wallet.name}: ${messageOf(error)}` };
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const chains: Readonly<Record<string, string>> = {
  'mainnet-beta': 'solana:mainnet',
  devnet: 'solana:devnet',
  localnet: 'solana:localnet',
};

/** The wallets’ name of a cluster, whose genesis hash the server has checked; undefined if wallets have none. */
export const chainOf = (env: string | undefined): string | undefined => chains[env ?? ''];
