import type { Page } from 'playwright-core';

export type ConnectWalletOptions = {
  readonly name?: string;
  readonly addresses: readonly string[];
  readonly chain?: string;
  /** Of the accounts; by default that of the wallet. */
  readonly accountChain?: string;
};

const LOCALNET = 'solana:localnet';

/**
 * Gives a page a wallet of the Wallet Standard. It asks once, grants silently from then on, and tells its account changes.
 * `window.testWallet` has how often it has asked, and changes its accounts.
 */
export const addWallet = (page: Page, options: ConnectWalletOptions): Promise<void> =>
  page.addInitScript({ content: `(() => { ${walletScript(options)} })();` }).then(() => undefined);

const walletScript = ({
  name = 'Test Wallet',
  addresses,
  chain = LOCALNET,
  accountChain = chain,
}: ConnectWalletOptions): string => `
  const granted = 'granted by ${name}';
  const listeners = new Set();
  const state = { prompts: 0, addresses: ${JSON.stringify(addresses)} };
  const accounts = () =>
    state.addresses.map((address) => ({ address, chains: ['${accountChain}'] }));
  const connect = async ({ silent = false } = {}) => {
    if (silent && localStorage.getItem(granted) === null) return { accounts: [] };
    if (!silent) state.prompts += 1;
    localStorage.setItem(granted, 'yes');
    return { accounts: accounts() };
  };
  const on = (_, listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const wallet = {
    version: '1.0.0', name: '${name}', chains: ['${chain}'], accounts: [],
    features: {
      'standard:connect': { connect },
      'standard:disconnect': { disconnect: async () => localStorage.removeItem(granted) },
      'standard:events': { on },
      'solana:signTransaction': { signTransaction: async () => [] },
    },
  };
  window.testWallet = {
    prompts: () => state.prompts,
    isGranted: () => localStorage.getItem(granted) !== null,
    lock: () => localStorage.removeItem(granted),
    use: (next) => {
      state.addresses = next;
      for (const listener of listeners) listener({ accounts: accounts() });
    },
  };
  const announce = ({ register }) => register(wallet);
  window.addEventListener('wallet-standard:app-ready', ({ detail }) => announce(detail));
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: announce }));
`;

export const connectPrompts = (page: Page) => page.evaluate<number>('window.testWallet.prompts()');

export const isGranted = (page: Page) => page.evaluate<boolean>('window.testWallet.isGranted()');

/** The wallet grants nothing without asking any more. */
export const lockWallet = (page: Page) => page.evaluate<void>('window.testWallet.lock()');

export const changeAccounts = (page: Page, addresses: readonly string[]) =>
  page.evaluate<void>(`window.testWallet.use(${JSON.stringify(addresses)})`);
