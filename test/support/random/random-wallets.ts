import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { WALLET_COUNT } from '#localnet/genesis/wallets.ts';
import { createSigner, type Signer } from '#localnet/runtime/signer.ts';

/** So many wallets of a genesis, other ones for another seed. */
export function randomWallets(genesisSeed: string, seed: string, count: number): Signer[] {
  const dice = createSeededRandom(`people of ${seed}`);
  const numbers = new Set<bigint>();
  while (numbers.size < count) numbers.add(dice.between(0n, BigInt(WALLET_COUNT - 1)));
  return [...numbers].map((number) =>
    createSigner(deriveSecretKey(genesisSeed, `wallet/${number}`)),
  );
}
