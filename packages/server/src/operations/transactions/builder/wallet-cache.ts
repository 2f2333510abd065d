import type { Address } from '@tidegate/core/base';
import type { WalletMetadata } from '@tidegate/core/builders';
import { BoundedMap } from '../../../caching/bounded-map.ts';
import type { ClusterName } from '../../../clusters/served-clusters.ts';

/** A wallet has one metadata account per lending program. */
type WalletKey = { readonly env: ClusterName; readonly program: Address; readonly wallet: Address };

/** A few hundred bytes each. */
const MAX_WALLETS = 10_000;

/** LRU cache of wallet metadata. */
export class WalletCache {
  readonly #entries: BoundedMap<string, WalletMetadata>;

  constructor(maxWallets = MAX_WALLETS) {
    this.#entries = new BoundedMap({ max: maxWallets });
  }

  get(wallet: WalletKey): WalletMetadata | undefined {
    return this.#entries.use(formatKey(wallet));
  }

  /** Skips empty metadata: a wallet can still get a lookup table or a referrer, but cannot change them. */
  set(wallet: WalletKey, metadata: WalletMetadata): void {
    if (metadata.lookupTable === undefined && metadata.referrer === undefined) return;
    this.#entries.set(formatKey(wallet), metadata);
  }
}

const formatKey = ({ env, program, wallet }: WalletKey): string => `${env} ${program} ${wallet}`;
