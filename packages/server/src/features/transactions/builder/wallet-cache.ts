import type { Address } from '@tidegate/core/base';
import type { WalletMetadata } from '@tidegate/core/builders';
import type { ClusterName } from '../../../clusters/served-clusters.ts';

/** A wallet has one metadata account per lending program. */
type WalletKey = { readonly env: ClusterName; readonly program: Address; readonly wallet: Address };

/** A few hundred bytes each. */
const MAX_WALLETS = 10_000;

/** LRU cache of wallet metadata. */
export class WalletCache {
  readonly #maxWallets: number;
  /** Least recently used first. */
  readonly #entries = new Map<string, WalletMetadata>();

  constructor(maxWallets = MAX_WALLETS) {
    this.#maxWallets = maxWallets;
  }

  get(wallet: WalletKey): WalletMetadata | undefined {
    const metadata = this.#entries.get(formatKey(wallet));
    if (metadata !== undefined) this.set(wallet, metadata);
    return metadata;
  }

  /** Skips empty metadata: a wallet can still get a lookup table or a referrer, but cannot change them. */
  set(wallet: WalletKey, metadata: WalletMetadata): void {
    if (metadata.lookupTable === undefined && metadata.referrer === undefined) return;
    const key = formatKey(wallet);
    this.#entries.delete(key);
    this.#entries.set(key, metadata);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxWallets && oldest !== undefined) {
      this.#entries.delete(oldest);
    }
  }
}

const formatKey = ({ env, program, wallet }: WalletKey): string => `${env} ${program} ${wallet}`;
