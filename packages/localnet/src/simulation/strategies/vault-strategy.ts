import type { Address } from '@tidegate/core/base';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import { tokenOf } from '../../genesis/specs/token-specs.ts';
import { VAULTS, type VaultKey } from '../../genesis/specs/vault-specs.ts';
import { attempt, type Tally } from '../actions/attempt.ts';
import { provide } from '../actions/ensure-balance.ts';
import { worth } from '../actions/loan-state.ts';
import { heldBy } from '../actions/token-instructions.ts';
import {
  claimVault,
  giveShares,
  redeem,
  type Savings,
  save,
  takeFromFarm,
  vaultAt,
} from '../actions/vault-actions.ts';
import type { Scenery } from '../setup/simulation-setup.ts';
import type { Habit } from './loan-strategy.ts';

export type SavingHabit = { readonly vault: VaultKey; readonly dollars: bigint };

const THOUSAND = 1_000n;

/** Saves, takes shares out again or out of the farm, claims rewards, and now and then hands shares to somebody else. */
export const savingHabit =
  ({ vault: key, dollars }: SavingHabit): Habit =>
  (scenery, wallet, tally) => {
    const { player, people, dice, keys } = scenery;
    const savings = { owner: people.wallet(wallet), vault: vaultAddress(keys, key) };
    const throwOf = dice.between(0n, 99n);
    if (throwOf < 52n) {
      const wanted = (dollars * dice.between(300n, 1_700n)) / THOUSAND;
      const stake = dice.between(0n, 2n) > 0n;
      saveDollars(scenery, { key, savings, tally }, { dollars: wanted, stake });
    } else if (throwOf < 75n) {
      const part = dice.between(2n, 5n);
      attempt(tally, () => redeem(player, savings, sharesOf(scenery, savings) / part));
    } else if (throwOf < 83n) {
      attempt(tally, () => takeFromFarm(player, savings, dice.between(200n, 1_000n)));
    } else if (throwOf < 93n) {
      attempt(tally, () => claimVault(player, savings));
    } else {
      const to = people.wallet(Number(dice.between(9n, 99n))).address;
      attempt(tally, () => {
        const amount = sharesOf(scenery, savings) / 5n;
        return amount > 0n && to !== savings.owner.address
          ? giveShares(player, savings, { to, amount })
          : undefined;
      });
    }
  };

export type SavingDoing = {
  readonly key: VaultKey;
  readonly savings: Savings;
  readonly tally: Tally;
};

export function saveDollars(
  scenery: Scenery,
  { key, savings, tally }: SavingDoing,
  { dollars, stake }: { readonly dollars: bigint; readonly stake: boolean },
): void {
  const { player, people } = scenery;
  attempt(tally, () => {
    const token = tokenOf(VAULTS.find((each) => each.key === key)?.symbol ?? 'USDC');
    const amount = tokensFor(scenery, savings.vault, dollars);
    provide(player, { owner: savings.owner, maker: people.maker }, { token, amount });
    return save(player, savings, { amount, stake });
  });
}

/** Tokens of a vault for so many dollars, by a reserve that it is in. */
function tokensFor({ player }: Scenery, vault: Address, dollars: bigint): bigint {
  const fields = vaultAt(player, vault);
  const [first] = fields === undefined ? [] : usedAllocations(fields);
  return first === undefined ? 0n : worth(player, first.reserve, dollars);
}

/** In the wallet; those in the farm are not counted. */
function sharesOf({ player }: Scenery, { owner, vault }: Savings): bigint {
  const fields = vaultAt(player, vault);
  if (fields === undefined) return 0n;
  const token = { mint: fields.sharesMint, decimals: 0, tokenProgram: TOKEN_PROGRAM };
  return heldBy(player, owner.address, token);
}
