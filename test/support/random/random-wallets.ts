import { secretKey } from '#localnet/genesis/seed/seeded-keys.ts';
import { createDice } from '#localnet/genesis/seed/seeded-random.ts';
import { WALLETS } from '#localnet/genesis/wallets.ts';
import { createSigner, type Signer } from '#localnet/runtime/signer.ts';

/** So many wallets of a genesis, other ones for another seed. */
export function randomPeople(genesisSeed: string, seed: string, count: number): Signer[] {
  const dice = createDice(`people of ${seed}`);
  const numbers = new Set<bigint>();
  while (numbers.size < count) numbers.add(dice.between(0n, BigInt(WALLETS - 1)));
  return [...numbers].map((number) => createSigner(secretKey(genesisSeed, `wallet/${number}`)));
}
