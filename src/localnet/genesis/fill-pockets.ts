import type { Address } from '../../base/address.ts';
import { marketOwner } from './market.ts';
import { MARKETS } from './market-specs.ts';
import { genesisTokens, type TokenSymbol, tokenOf } from './tokens.ts';
import { vaultAdmin } from './vault.ts';
import { VAULTS } from './vault-specs.ts';
import { marketMaker, walletAddresses } from './wallets.ts';
import type { World } from './world.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;

const POCKET_MONEY: readonly [TokenSymbol, ...TokenSymbol[]] = [
  'USDC',
  'USDT',
  'PYUSD',
  'SOL',
  'JitoSOL',
  'KMNO',
];

/**
 * Tokens that wallets have beside their positions; the rest of each supply goes to the market maker. Gives the
 * lamports of every key that has an account of its own: wallets, and who runs markets and vaults.
 */
export function fillPockets({ keys, dice, ledger }: World): ReadonlyMap<Address, bigint> {
  const lamports = new Map<Address, bigint>();
  for (const wallet of walletAddresses(keys)) {
    for (let rest = dice.between(1n, 3n); rest > 0n; rest--) {
      const { mint, decimals } = tokenOf(dice.pick(POCKET_MONEY));
      const amount = (dice.between(5n, 4_000n) * 10n ** BigInt(decimals)) / 100n;
      ledger.issue(ledger.of(wallet, mint), amount);
    }
    lamports.set(wallet, dice.between(20_000_000n, 40n * LAMPORTS_PER_SOL));
  }
  for (const { mint, decimals, supply, symbol } of genesisTokens.values()) {
    if (symbol === 'SOL') continue;
    const missing = supply * 10n ** BigInt(decimals) - ledger.supply(mint);
    ledger.issue(ledger.of(marketMaker(keys), mint), missing);
  }
  const owners = MARKETS.map(({ key }) => marketOwner(keys, key));
  const admins = VAULTS.map(({ key }) => vaultAdmin(keys, key));
  for (const key of [keys('admin'), marketMaker(keys), ...owners, ...admins]) {
    lamports.set(key, 500n * LAMPORTS_PER_SOL);
  }
  return lamports;
}
