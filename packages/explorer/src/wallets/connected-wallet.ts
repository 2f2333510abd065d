import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import {
  type ConnectedWallet,
  readWallet,
  storeWallet,
  watchStorage,
} from './remembered-wallet.ts';
import {
  connectWallet,
  disconnectWallet,
  followAddresses,
  grantedAddresses,
  type StandardWallet,
  walletsFor,
} from './wallet-standard.ts';

/** What wallets have to fit to; undefined until the server has said it. */
type WalletCluster = {
  /** The wallets’ name of the cluster; undefined if they have none. */
  readonly chain: string | undefined;
  /** Address of the demo wallet, where there is one. */
  readonly demo: string | undefined;
};

const remembered = signal(typeof localStorage === 'undefined' ? undefined : readWallet());
const cluster = signal<WalletCluster | undefined>(undefined);

/** The wallet of the reader; undefined if none is connected. A wallet of another cluster is not. */
export const connectedWallet: ReadonlySignal<ConnectedWallet | undefined> = computed(() => {
  const wallet = remembered.value;
  return wallet !== undefined && isOf(wallet, cluster.value) ? wallet : undefined;
});

/** The accounts that the connected wallet of this browser grants; none while it is locked. */
export const walletAccounts = signal<readonly string[]>([]);

/** What happened to the connection last, for a screen reader. */
export const walletNews = signal('');

function isOf({ kind, address, chain }: ConnectedWallet, of: WalletCluster | undefined): boolean {
  if (of === undefined || kind === 'watched') return true;
  return kind === 'demo' ? address === of.demo : chain === of.chain;
}

export function setWalletCluster(next: WalletCluster): void {
  const { chain, demo } = cluster.peek() ?? {};
  if (cluster.peek() === undefined || chain !== next.chain || demo !== next.demo) {
    cluster.value = next;
  }
}

/** Returns why it failed; undefined if the wallet is connected. */
export async function connectBrowserWallet(
  wallet: StandardWallet,
  chain: string,
): Promise<string | undefined> {
  const result = await connectWallet(wallet, chain);
  if (result.kind === 'failed') return result.reason;
  const { address } = result;
  remember({ kind: 'browser', name: wallet.name, address, chain });
  return undefined;
}

export const connectDemoWallet = (address: string): void =>
  remember({ kind: 'demo', name: 'Demo wallet', address, chain: '' });

export const watchAddress = (address: string): void =>
  remember({ kind: 'watched', name: 'Watched address', address, chain: '' });

/** Another account of the connected wallet. */
export function chooseAccount(address: string): void {
  const wallet = connectedWallet.peek();
  if (wallet !== undefined && walletAccounts.peek().includes(address)) {
    remember({ ...wallet, address });
  }
}

export function disconnect(): void {
  const wallet = browserWallet.peek();
  forget('The wallet is disconnected.');
  if (wallet !== undefined) void disconnectWallet(wallet);
}

function remember(wallet: ConnectedWallet): void {
  remembered.value = wallet;
  storeWallet(wallet);
  walletNews.value = `${wallet.name}: ${wallet.address} is connected.`;
}

function forget(news: string): void {
  remembered.value = undefined;
  storeWallet(undefined);
  walletNews.value = news;
}

/** The connected wallet of this browser, once it has announced itself. */
const browserWallet = computed<StandardWallet | undefined>(() => {
  const { kind, name } = connectedWallet.value ?? {};
  if (kind !== 'browser') return undefined;
  return walletsFor(cluster.value?.chain).find((wallet) => wallet.name === name);
});

/** Whether the wallet that is remembered is in this browser, so that it can sign. */
export const canSign = computed(() => {
  const { kind } = connectedWallet.value ?? {};
  return kind === 'demo' || browserWallet.value !== undefined;
});

/** Connects the remembered wallet again where it allows that without a question, and follows its account. */
export function watchConnectedWallet(): void {
  watchStorage((wallet) => {
    remembered.value = wallet;
  });
  effect(() => {
    const wallet = browserWallet.value;
    const chain = cluster.value?.chain;
    if (wallet === undefined || chain === undefined) return undefined;
    let isCurrent = true;
    void grantedAddresses(wallet, chain).then((addresses) => {
      // a wallet that is locked grants nothing until it signs
      if (isCurrent && addresses.length > 0) adopt(addresses);
    });
    const end = followAddresses(wallet, chain, adopt);
    return () => {
      isCurrent = false;
      walletAccounts.value = [];
      end();
    };
  });
}

/** The connected address stays while the wallet has it. */
function adopt(addresses: readonly string[]): void {
  walletAccounts.value = addresses;
  const wallet = connectedWallet.peek();
  if (wallet === undefined || addresses.includes(wallet.address)) return;
  const [address] = addresses;
  if (address === undefined) forget(`${wallet.name} has no account for this page any more.`);
  else remember({ ...wallet, address });
}
