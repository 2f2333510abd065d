import { createDice } from '../../src/localnet/genesis/dice.ts';
import { secretKey } from '../../src/localnet/genesis/keys.ts';
import { WALLETS } from '../../src/localnet/genesis/wallets.ts';
import { createSigner, type Signer } from '../../src/localnet/signer.ts';

/** So many wallets of a genesis, other ones for another seed. */
export function randomPeople(genesisSeed: string, seed: string, count: number): Signer[] {
  const dice = createDice(`people of ${seed}`);
  const numbers = new Set<bigint>();
  while (numbers.size < count) numbers.add(dice.between(0n, BigInt(WALLETS - 1)));
  return [...numbers].map((number) => createSigner(secretKey(genesisSeed, `wallet/${number}`)));
}
