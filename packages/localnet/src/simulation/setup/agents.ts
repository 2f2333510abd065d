import { deriveSecretKey } from '../../genesis/seed/seeded-keys.ts';
import { createSigner, type Signer } from '../../runtime/signer.ts';

/** All signers of the simulation, by their genesis names. */
export type Agents = {
  named(name: string): Signer;
  wallet(number: number): Signer;
  /** The counterparty of every swap. */
  readonly marketMaker: Signer;
  readonly keeper: Signer;
};

export function createAgents(seed: string): Agents {
  const signers = new Map<string, Signer>();
  const named = (name: string): Signer => {
    const signer = signers.get(name) ?? createSigner(deriveSecretKey(seed, name));
    signers.set(name, signer);
    return signer;
  };
  return {
    named,
    wallet: (number) => named(`wallet/${number}`),
    marketMaker: named('market maker'),
    keeper: named('admin'),
  };
}
