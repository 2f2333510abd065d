import type { Address } from '@tidegate/core/base';
import { marketOwnerAddress } from './accounts/market.ts';
import { vaultAdminAddress } from './accounts/vault.ts';
import type { GenesisState } from './genesis-state.ts';
import { MARKET_SPECS } from './specs/market-specs.ts';
import { genesisTokens, type TokenSymbol, tokenBySymbol } from './specs/token-specs.ts';
import { VAULT_SPECS } from './specs/vault-specs.ts';
import { marketMakerAddress, walletAddresses } from './wallets.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;

/** Of the market maker, who takes the other side of every swap. */
const MAKERS_SOL = 5_000_000n * LAMPORTS_PER_SOL;
const MAKERS_WRAPPED_SOL = 500_000n * LAMPORTS_PER_SOL;

const POCKET_MONEY: readonly [TokenSymbol, ...TokenSymbol[]] = [
  'USDC',
  'USDT',
  'PYUSD',
  'SOL',
  'JitoSOL',
  'KMNO',
];

/**
 * Tokens that wallets begin with; the rest of each supply goes to the market maker, from whom everybody buys. Gives the
 * lamports of every key that has an account of its own: wallets, and who runs markets and vaults.
 */
export function fundWallets({ keys, dice, ledger }: GenesisState): ReadonlyMap<Address, bigint> {
  const lamports = new Map<Address, bigint>();
  for (const wallet of walletAddresses(keys)) {
    for (let rest = dice.between(1n, 3n); rest > 0n; rest--) {
      const { mint, decimals } = tokenBySymbol(dice.pick(POCKET_MONEY));
      const amount = (dice.between(5n, 4_000n) * 10n ** BigInt(decimals)) / 100n;
      ledger.issue(ledger.of(wallet, mint), amount);
    }
    lamports.set(wallet, dice.between(LAMPORTS_PER_SOL / 2n, 40n * LAMPORTS_PER_SOL));
  }
  const maker = marketMakerAddress(keys);
  for (const { mint, decimals, supply, symbol } of genesisTokens.values()) {
    const missing = supply * 10n ** BigInt(decimals) - ledger.supply(mint);
    ledger.issue(ledger.of(maker, mint), symbol === 'SOL' ? MAKERS_WRAPPED_SOL : missing);
  }
  const owners = MARKET_SPECS.map(({ key }) => marketOwnerAddress(keys, key));
  const admins = VAULT_SPECS.map(({ key }) => vaultAdminAddress(keys, key));
  for (const key of [keys('admin'), ...owners, ...admins])
    lamports.set(key, 500n * LAMPORTS_PER_SOL);
  return lamports.set(maker, MAKERS_SOL);
}
