import { deriveSecretKey } from '../../genesis/seed/seeded-keys.ts';
import { createSigner, type Signer } from '../../runtime/signer.ts';

/** Everyone who signs, by the names that genesis gives them. */
export type Agents = {
  named(name: string): Signer;
  wallet(number: number): Signer;
  /** Takes the other side of every swap. */
  readonly maker: Signer;
  readonly keeper: Signer;
};

export function createAgents(seed: string): Agents {
  const known = new Map<string, Signer>();
  const named = (name: string): Signer => {
    const signer = known.get(name) ?? createSigner(deriveSecretKey(seed, name));
    known.set(name, signer);
    return signer;
  };
  return {
    named,
    wallet: (number) => named(`wallet/${number}`),
    maker: named('market maker'),
    keeper: named('admin'),
  };
}
