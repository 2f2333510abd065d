import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import type { LendingMarket, Reserve } from '@tidegate/core/protocol/klend/layout';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { createFarm } from './accounts/farm.ts';
import { genesisTableAddress } from './accounts/lookup-table-accounts.ts';
import {
  createMarket,
  createReserve,
  marketAddress,
  marketOwnerAddress,
  reserveAddress,
} from './accounts/market.ts';
import { createOracle, type Oracle } from './accounts/oracle.ts';
import {
  regulatedAccountExtensions,
  regulatedExtensions,
} from './accounts/regulated-extensions.ts';
import { type MintSpec, TokenLedger } from './accounts/token-ledger.ts';
import {
  createVault,
  vaultAddress,
  vaultAdminAddress,
  vaultFarmAddress,
} from './accounts/vault.ts';
import type { Bootstrap } from './seed/bootstrap.ts';
import { createSeededKeys, type SeededKeys } from './seed/seeded-keys.ts';
import { createSeededRandom, type SeededRandom } from './seed/seeded-random.ts';
import { MARKET_SPECS, type MarketKey, type ReserveSpec } from './specs/market-specs.ts';
import { type GenesisToken, genesisTokens, tokenBySymbol } from './specs/token-specs.ts';
import { VAULT_SPECS } from './specs/vault-specs.ts';

/** Everything that admins set up, while it is made. */
export type GenesisState = Bootstrap & {
  readonly keys: SeededKeys;
  readonly dice: SeededRandom;
  readonly oracle: Oracle;
  readonly ledger: TokenLedger;
  readonly markets: Map<Address, LendingMarket>;
  readonly reserves: Map<Address, Reserve>;
  readonly farms: Map<Address, FarmState>;
  readonly vaults: Map<Address, VaultState>;
};

/** Farms pay for so long after the end of what is played. */
const FUNDED_DAYS_AFTER = 400;

/** Tokens, markets, reserves, farms and vaults as they were made, nothing in them yet. */
export function createGenesisState({ seed, founded, days }: Bootstrap): GenesisState {
  const keys = createSeededKeys(seed);
  const dice = createSeededRandom(seed);
  const oracle = createOracle(keys, dice);
  const ledger = new TokenLedger();
  for (const token of genesisTokens.values()) ledger.addMint(token.mint, mintFacts(token, keys));
  const world: GenesisState = {
    ...{ seed, keys, dice, oracle, ledger, founded, days },
    markets: new Map(),
    reserves: new Map(),
    farms: new Map(),
    vaults: new Map(),
  };
  for (const market of MARKET_SPECS) {
    world.markets.set(marketAddress(keys, market.key), createMarket(market, keys));
    for (const spec of market.reserves) foundReserve(world, market.key, spec);
  }
  foundVaults(world);
  return world;
}

function mintFacts(
  { symbol, mint, decimals, tokenProgram }: GenesisToken,
  keys: SeededKeys,
): MintSpec {
  const authority = symbol === 'SOL' ? ZERO_ADDRESS : keys(`issuer/${symbol}`);
  const facts = { decimals, tokenProgram, authority };
  if (tokenProgram === TOKEN_PROGRAM) return facts;
  return {
    ...facts,
    extensions: regulatedExtensions({ mint, authority, symbol, name: 'PayPal USD' }),
    accountExtensions: regulatedAccountExtensions,
  };
}

function foundReserve(world: GenesisState, market: MarketKey, spec: ReserveSpec): void {
  const { keys, ledger, reserves, oracle, founded } = world;
  const authority = lendingMarketAuthority(marketAddress(keys, market));
  const farms = {
    collateral: foundReserveFarm(world, market, { spec, side: 'collateral' }),
    debt: foundReserveFarm(world, market, { spec, side: 'debt' }),
  };
  const reserve = createReserve({ market, spec, farms, oracle, time: founded }, keys);
  reserves.set(reserveAddress(keys, market, spec.symbol), reserve);
  const { liquidity, collateral } = reserve;
  ledger.addMint(collateral.mintPubkey, {
    decimals: tokenBySymbol(spec.symbol).decimals,
    tokenProgram: TOKEN_PROGRAM,
    authority,
  });
  ledger.open(liquidity.supplyVault, { mint: liquidity.mintPubkey, owner: authority });
  ledger.open(liquidity.feeVault, { mint: liquidity.mintPubkey, owner: authority });
  ledger.open(collateral.supplyVault, { mint: collateral.mintPubkey, owner: authority });
}

type Side = { readonly spec: ReserveSpec; readonly side: 'collateral' | 'debt' };

/** The zero address where that side has no farm. */
function foundReserveFarm(world: GenesisState, market: MarketKey, { spec, side }: Side): Address {
  const { keys, ledger, farms, founded, days } = world;
  const reward = spec.rewards?.[side];
  if (reward === undefined) return ZERO_ADDRESS;
  const address = keys(`farm/${market}/${spec.symbol}/${side}`);
  const farm = createFarm(ledger, {
    kind: 'delegated',
    ...{ address, reward, time: founded, fundedDays: days + FUNDED_DAYS_AFTER },
    admin: marketOwnerAddress(keys, market),
    authority: lendingMarketAuthority(marketAddress(keys, market)),
  });
  farms.set(address, farm);
  return address;
}

function foundVaults(world: GenesisState): void {
  const { keys, ledger, farms, vaults, founded, days } = world;
  for (const spec of VAULT_SPECS) {
    const admin = vaultAdminAddress(keys, spec.key);
    const lookupTable = genesisTableAddress(admin, founded);
    const vault = createVault(spec, keys, { time: founded, lookupTable });
    vaults.set(vaultAddress(keys, spec.key), vault);
    openVaultTokens(world, vault);
    if (spec.farm === undefined) continue;
    const address = vaultFarmAddress(keys, spec);
    const farm = createFarm(ledger, {
      kind: 'staked',
      ...{ address, admin, time: founded, fundedDays: days + FUNDED_DAYS_AFTER },
      mint: vault.sharesMint,
      decimals: spec.sharesDecimals,
      reward: spec.farm,
    });
    farms.set(address, farm);
  }
}

function openVaultTokens({ ledger, reserves }: GenesisState, vault: VaultState): void {
  const { baseVaultAuthority: owner, sharesMint, sharesMintDecimals } = vault;
  ledger.addMint(sharesMint, {
    decimals: Number(sharesMintDecimals),
    tokenProgram: TOKEN_PROGRAM,
    authority: owner,
  });
  ledger.open(vault.tokenVault, { mint: vault.tokenMint, owner });
  for (const { reserve, ctokenVault } of usedAllocations(vault)) {
    const mint = reserves.get(reserve)?.collateral.mintPubkey;
    if (mint !== undefined) ledger.open(ctokenVault, { mint, owner });
  }
}
