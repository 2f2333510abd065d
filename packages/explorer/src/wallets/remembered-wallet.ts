import { isAddress } from '../format/address.ts';

const KINDS = ['browser', 'demo', 'watched'] as const;

/** The wallet whose positions and balances the pages show. */
export type ConnectedWallet = {
  /** Signs in this browser, is of the embedded cluster, or does not sign here. */
  readonly kind: (typeof KINDS)[number];
  readonly name: string;
  readonly address: string;
  /** The wallets’ name of the cluster; empty if the cluster has none. */
  readonly chain: string;
};

const STORAGE_KEY = 'tidegate-wallet';

/** What an earlier page stored; undefined if there is none, or if it is not readable. */
export function parseWallet(text: string | null): ConnectedWallet | undefined {
  const value = text === null ? undefined : parseObject(text);
  if (value === undefined) return undefined;
  const { kind, name, address, chain } = value;
  const known = KINDS.find((each) => each === kind);
  if (known === undefined || typeof name !== 'string' || typeof chain !== 'string') {
    return undefined;
  }
  return typeof address === 'string' && isAddress(address)
    ? { kind: known, name, address, chain }
    : undefined;
}

function parseObject(text: string): Partial<Readonly<Record<string, unknown>>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

export function readWallet(): ConnectedWallet | undefined {
  try {
    return parseWallet(localStorage.getItem(STORAGE_KEY));
  } catch {
    return undefined;
  }
}

export function storeWallet(wallet: ConnectedWallet | undefined): void {
  try {
    if (wallet === undefined) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(wallet));
  } catch {
    // a browser without storage forgets the wallet
  }
}

/** Calls back with the choice of another tab. */
export function watchStorage(onChange: (wallet: ConnectedWallet | undefined) => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === STORAGE_KEY || key === null) onChange(readWallet());
  });
}
