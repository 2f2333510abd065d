import type { Address } from '@tidegate/core/base';
import type { WalletMetadata } from '@tidegate/core/builders';
import type { ClusterName } from '../../../clusters/served-clusters.ts';

/** Whose metadata: there is one for each lending program of a cluster. */
type Known = { readonly env: ClusterName; readonly program: Address; readonly wallet: Address };

/** A few hundred bytes each. */
const MOST_WALLETS = 10_000;

/** What wallets that acted lately name in their metadata. */
export class WalletCache {
  readonly #most: number;
  /** The one that was not needed longest is first. */
  readonly #facts = new Map<string, WalletMetadata>();

  constructor(most = MOST_WALLETS) {
    this.#most = most;
  }

  recall(known: Known): WalletMetadata | undefined {
    const facts = this.#facts.get(keyOf(known));
    if (facts !== undefined) this.remember(known, facts);
    return facts;
  }

  /** What is named stays so. That nothing is named may change, and is not remembered. */
  remember(known: Known, facts: WalletMetadata): void {
    if (facts.lookupTable === undefined && facts.referrer === undefined) return;
    const key = keyOf(known);
    this.#facts.delete(key);
    this.#facts.set(key, facts);
    const [oldest] = this.#facts.keys();
    if (this.#facts.size > this.#most && oldest !== undefined) this.#facts.delete(oldest);
  }
}

const keyOf = ({ env, program, wallet }: Known): string => `${env} ${program} ${wallet}`;
