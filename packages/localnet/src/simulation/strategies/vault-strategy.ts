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

export type VaultStrategy = { readonly vault: VaultKey; readonly usd: bigint };

const THOUSAND = 1_000n;

/** Deposits, withdraws, unstakes, claims rewards, and sometimes transfers shares. */
export const vaultStrategy =
  ({ vault: key, usd }: VaultStrategy): Strategy =>
  (context, wallet, counts) => {
    const { simulator, agents, random, keys } = context;
    const holding = { owner: agents.wallet(wallet), vault: vaultAddress(keys, key) };
    const roll = random.between(0n, 99n);
    if (roll < 52n) {
      const amountUsd = (usd * random.between(300n, 1_700n)) / THOUSAND;
      const stake = random.between(0n, 2n) > 0n;
      depositUsdToVault(context, { key, holding, counts }, { usd: amountUsd, stake });
    } else if (roll < 75n) {
      const divisor = random.between(2n, 5n);
      attempt(counts, () =>
        executeVaultWithdraw(simulator, holding, unstakedShares(context, holding) / divisor),
      );
    } else if (roll < 83n) {
      attempt(counts, () => unstakeShares(simulator, holding, random.between(200n, 1_000n)));
    } else if (roll < 93n) {
      attempt(counts, () => claimVaultRewards(simulator, holding));
    } else {
      const to = agents.wallet(Number(random.between(9n, 99n))).address;
      attempt(counts, () => {
        const amount = unstakedShares(context, holding) / 5n;
        return amount > 0n && to !== holding.owner.address
          ? transferShares(simulator, holding, { to, amount })
          : undefined;
      });
    }
  };

export type VaultStrategyRun = {
  readonly key: VaultKey;
  readonly holding: VaultHolding;
  readonly counts: ActionCounts;
};

export function depositUsdToVault(
  context: SimulationContext,
  { key, holding, counts }: VaultStrategyRun,
  { usd, stake }: { readonly usd: bigint; readonly stake: boolean },
): void {
  const { simulator, agents } = context;
  attempt(counts, () => {
    const token = tokenBySymbol(VAULT_SPECS.find((spec) => spec.key === key)?.symbol ?? 'USDC');
    const amount = vaultTokensForUsd(context, holding.vault, usd);
    ensureBalance(
      simulator,
      { owner: holding.owner, maker: agents.marketMaker },
      { token, amount },
    );
    return executeVaultDeposit(simulator, holding, { amount, stake });
  });
}

/** Amount of the vault's token worth the given USD value, at the price of one of its reserves. */
function vaultTokensForUsd({ simulator }: SimulationContext, vault: Address, usd: bigint): bigint {
  const vaultFields = findVault(simulator, vault);
  const [first] = vaultFields === undefined ? [] : usedAllocations(vaultFields);
  return first === undefined ? 0n : tokensForUsd(simulator, first.reserve, usd);
}

/** Shares in the wallet, without staked ones. */
export function unstakedShares(
  { simulator }: SimulationContext,
  { owner, vault }: VaultHolding,
): bigint {
  const vaultFields = findVault(simulator, vault);
  if (vaultFields === undefined) return 0n;
  const token = { mint: vaultFields.sharesMint, decimals: 0, tokenProgram: TOKEN_PROGRAM };
  return tokenBalanceOf(simulator, owner.address, token);
}
