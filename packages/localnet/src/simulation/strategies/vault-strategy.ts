import type { Address } from '@tidegate/core/base';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { vaultAddress } from '../../genesis/accounts/vault.ts';
import { tokenBySymbol } from '../../genesis/specs/token-specs.ts';
import { VAULT_SPECS, type VaultKey } from '../../genesis/specs/vault-specs.ts';
import { type ActionCounts, attempt } from '../actions/attempt.ts';
import { ensureBalance } from '../actions/ensure-balance.ts';
import { tokensForUsd } from '../actions/loan-state.ts';
import { tokenBalanceOf } from '../actions/token-instructions.ts';
import {
  claimVaultRewards,
  executeVaultDeposit,
  executeVaultWithdraw,
  findVault,
  transferShares,
  unstakeShares,
  type VaultHolding,
} from '../actions/vault-actions.ts';
import type { SimulationContext } from '../setup/simulation-setup.ts';
import type { Strategy } from './loan-strategy.ts';

export type VaultStrategy = { readonly vault: VaultKey; readonly dollars: bigint };

const THOUSAND = 1_000n;

/** Saves, takes shares out again or out of the farm, claims rewards, and now and then hands shares to somebody else. */
export const vaultStrategy =
  ({ vault: key, dollars }: VaultStrategy): Strategy =>
  (scenery, wallet, tally) => {
    const { player, people, dice, keys } = scenery;
    const savings = { owner: people.wallet(wallet), vault: vaultAddress(keys, key) };
    const throwOf = dice.between(0n, 99n);
    if (throwOf < 52n) {
      const wanted = (dollars * dice.between(300n, 1_700n)) / THOUSAND;
      const stake = dice.between(0n, 2n) > 0n;
      depositUsdToVault(scenery, { key, savings, tally }, { dollars: wanted, stake });
    } else if (throwOf < 75n) {
      const part = dice.between(2n, 5n);
      attempt(tally, () =>
        executeVaultWithdraw(player, savings, sharesOf(scenery, savings) / part),
      );
    } else if (throwOf < 83n) {
      attempt(tally, () => unstakeShares(player, savings, dice.between(200n, 1_000n)));
    } else if (throwOf < 93n) {
      attempt(tally, () => claimVaultRewards(player, savings));
    } else {
      const to = people.wallet(Number(dice.between(9n, 99n))).address;
      attempt(tally, () => {
        const amount = sharesOf(scenery, savings) / 5n;
        return amount > 0n && to !== savings.owner.address
          ? transferShares(player, savings, { to, amount })
          : undefined;
      });
    }
  };

export type VaultStrategyRun = {
  readonly key: VaultKey;
  readonly savings: VaultHolding;
  readonly tally: ActionCounts;
};

export function depositUsdToVault(
  scenery: SimulationContext,
  { key, savings, tally }: VaultStrategyRun,
  { dollars, stake }: { readonly dollars: bigint; readonly stake: boolean },
): void {
  const { player, people } = scenery;
  attempt(tally, () => {
    const token = tokenBySymbol(VAULT_SPECS.find((each) => each.key === key)?.symbol ?? 'USDC');
    const amount = tokensFor(scenery, savings.vault, dollars);
    ensureBalance(player, { owner: savings.owner, maker: people.maker }, { token, amount });
    return executeVaultDeposit(player, savings, { amount, stake });
  });
}

/** Tokens of a vault for so many dollars, by a reserve that it is in. */
function tokensFor({ player }: SimulationContext, vault: Address, dollars: bigint): bigint {
  const fields = findVault(player, vault);
  const [first] = fields === undefined ? [] : usedAllocations(fields);
  return first === undefined ? 0n : tokensForUsd(player, first.reserve, dollars);
}

/** In the wallet; those in the farm are not counted. */
function sharesOf({ player }: SimulationContext, { owner, vault }: VaultHolding): bigint {
  const fields = findVault(player, vault);
  if (fields === undefined) return 0n;
  const token = { mint: fields.sharesMint, decimals: 0, tokenProgram: TOKEN_PROGRAM };
  return tokenBalanceOf(player, owner.address, token);
}
