import type { Address } from '@tidegate/core/base';
import { marketOwnerAddress } from './accounts/market.ts';
import { vaultAdminAddress } from './accounts/vault.ts';
import type { GenesisState } from './genesis-state.ts';
import { MARKET_SPECS } from './specs/market-specs.ts';
import { genesisTokens, type TokenSymbol, tokenBySymbol } from './specs/token-specs.ts';
import { VAULT_SPECS } from './specs/vault-specs.ts';
import { marketMakerAddress, walletAddresses } from './wallets.ts';

const LAMPORTS_PER_SOL = 1_000_000_000n;

/** The market maker is the counterparty of every swap. */
const MARKET_MAKER_SOL = 5_000_000n * LAMPORTS_PER_SOL;
const MARKET_MAKER_WRAPPED_SOL = 500_000n * LAMPORTS_PER_SOL;

const WALLET_TOKENS: readonly [TokenSymbol, ...TokenSymbol[]] = [
  'USDC',
  'USDT',
  'PYUSD',
  'SOL',
  'JitoSOL',
  'KMNO',
];

/**
 * Issues the initial tokens of the wallets; the rest of each supply goes to the market maker.
 * Returns the lamports of all keys with an account: wallets, market owners and vault admins.
 */
export function fundWallets({ keys, random, ledger }: GenesisState): ReadonlyMap<Address, bigint> {
  const lamports = new Map<Address, bigint>();
  for (const wallet of walletAddresses(keys)) {
    for (let remaining = random.between(1n, 3n); remaining > 0n; remaining--) {
      const { mint, decimals } = tokenBySymbol(random.pick(WALLET_TOKENS));
      const amount = (random.between(5n, 4_000n) * 10n ** BigInt(decimals)) / 100n;
      ledger.issue(ledger.associatedAccount(wallet, mint), amount);
    }
    lamports.set(wallet, random.between(LAMPORTS_PER_SOL / 2n, 40n * LAMPORTS_PER_SOL));
  }
  const marketMaker = marketMakerAddress(keys);
  for (const { mint, decimals, supply, symbol } of genesisTokens.values()) {
    const missing = supply * 10n ** BigInt(decimals) - ledger.supply(mint);
    ledger.issue(
      ledger.associatedAccount(marketMaker, mint),
      symbol === 'SOL' ? MARKET_MAKER_WRAPPED_SOL : missing,
    );
  }
  const owners = MARKET_SPECS.map(({ key }) => marketOwnerAddress(keys, key));
  const admins = VAULT_SPECS.map(({ key }) => vaultAdminAddress(keys, key));
  for (const key of [keys('admin'), ...owners, ...admins])
    lamports.set(key, 500n * LAMPORTS_PER_SOL);
  return lamports.set(marketMaker, MARKET_MAKER_SOL);
}
