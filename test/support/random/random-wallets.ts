import { deriveSecretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createSeededRandom } from '#localnet/genesis/seed/seeded-random.ts';
import { WALLET_COUNT } from '#localnet/genesis/wallets.ts';
import { createSigner, type Signer } from '#localnet/runtime/signer.ts';

/** Picks wallets of a genesis at random. */
export function randomWallets(genesisSeed: string, seed: string, count: number): Signer[] {
  const random = createSeededRandom(`people of ${seed}`);
  const numbers = new Set<bigint>();
  while (numbers.size < count) numbers.add(random.between(0n, BigInt(WALLET_COUNT - 1)));
  return [...numbers].map((number) =>
    createSigner(deriveSecretKey(genesisSeed, `wallet/${number}`)),
  );
}
