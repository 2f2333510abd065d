import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import type { LendingMarket, Reserve } from '@tidegate/core/protocol/klend/layout';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import { TOKEN_PROGRAM } from '@tidegate/core/protocol/spl';
import { foundFarm } from './accounts/farm.ts';
import { tableAddress } from './accounts/lookup-table-accounts.ts';
import {
  marketAddress,
  marketOwner,
  newMarket,
  newReserve,
  reserveAddress,
} from './accounts/market.ts';
import { createOracle, type Oracle } from './accounts/oracle.ts';
import {
  regulatedAccountExtensions,
  regulatedExtensions,
} from './accounts/regulated-extensions.ts';
import { Ledger, type MintFacts } from './accounts/token-ledger.ts';
import { newVault, vaultAddress, vaultAdmin, vaultFarmAddress } from './accounts/vault.ts';
import type { Founding } from './seed/bootstrap.ts';
import { createKeys, type Keys } from './seed/seeded-keys.ts';
import { createDice, type Dice } from './seed/seeded-random.ts';
import { MARKETS, type MarketKey, type ReserveSpec } from './specs/market-specs.ts';
import { type GenesisToken, genesisTokens, tokenOf } from './specs/token-specs.ts';
import { VAULTS } from './specs/vault-specs.ts';

/** Everything that admins set up, while it is made. */
export type World = Founding & {
  readonly keys: Keys;
  readonly dice: Dice;
  readonly oracle: Oracle;
  readonly ledger: Ledger;
  readonly markets: Map<Address, LendingMarket>;
  readonly reserves: Map<Address, Reserve>;
  readonly farms: Map<Address, FarmState>;
  readonly vaults: Map<Address, VaultState>;
};

/** Farms pay for so long after the end of what is played. */
const FUNDED_DAYS_AFTER = 400;

/** Tokens, markets, reserves, farms and vaults as they were made, nothing in them yet. */
export function foundWorld({ seed, founded, days }: Founding): World {
  const keys = createKeys(seed);
  const dice = createDice(seed);
  const oracle = createOracle(keys, dice);
  const ledger = new Ledger();
  for (const token of genesisTokens.values()) ledger.addMint(token.mint, mintFacts(token, keys));
  const world: World = {
    ...{ seed, keys, dice, oracle, ledger, founded, days },
    markets: new Map(),
    reserves: new Map(),
    farms: new Map(),
    vaults: new Map(),
  };
  for (const market of MARKETS) {
    world.markets.set(marketAddress(keys, market.key), newMarket(market, keys));
    for (const spec of market.reserves) foundReserve(world, market.key, spec);
  }
  foundVaults(world);
  return world;
}

function mintFacts({ symbol, mint, decimals, tokenProgram }: GenesisToken, keys: Keys): MintFacts {
  const authority = symbol === 'SOL' ? ZERO_ADDRESS : keys(`issuer/${symbol}`);
  const facts = { decimals, tokenProgram, authority };
  if (tokenProgram === TOKEN_PROGRAM) return facts;
  return {
    ...facts,
    extensions: regulatedExtensions({ mint, authority, symbol, name: 'PayPal USD' }),
    accountExtensions: regulatedAccountExtensions,
  };
}

function foundReserve(world: World, market: MarketKey, spec: ReserveSpec): void {
  const { keys, ledger, reserves, oracle, founded } = world;
  const authority = lendingMarketAuthority(marketAddress(keys, market));
  const farms = {
    collateral: foundReserveFarm(world, market, { spec, side: 'collateral' }),
    debt: foundReserveFarm(world, market, { spec, side: 'debt' }),
  };
  const reserve = newReserve({ market, spec, farms, oracle, time: founded }, keys);
  reserves.set(reserveAddress(keys, market, spec.symbol), reserve);
  const { liquidity, collateral } = reserve;
  ledger.addMint(collateral.mintPubkey, {
    decimals: tokenOf(spec.symbol).decimals,
    tokenProgram: TOKEN_PROGRAM,
    authority,
  });
  ledger.open(liquidity.supplyVault, { mint: liquidity.mintPubkey, owner: authority });
  ledger.open(liquidity.feeVault, { mint: liquidity.mintPubkey, owner: authority });
  ledger.open(collateral.supplyVault, { mint: collateral.mintPubkey, owner: authority });
}

type Side = { readonly spec: ReserveSpec; readonly side: 'collateral' | 'debt' };

/** The zero address where that side has no farm. */
function foundReserveFarm(world: World, market: MarketKey, { spec, side }: Side): Address {
  const { keys, ledger, farms, founded, days } = world;
  const reward = spec.rewards?.[side];
  if (reward === undefined) return ZERO_ADDRESS;
  const address = keys(`farm/${market}/${spec.symbol}/${side}`);
  const farm = foundFarm(ledger, {
    kind: 'delegated',
    ...{ address, reward, time: founded, fundedDays: days + FUNDED_DAYS_AFTER },
    admin: marketOwner(keys, market),
    authority: lendingMarketAuthority(marketAddress(keys, market)),
  });
  farms.set(address, farm);
  return address;
}

function foundVaults(world: World): void {
  const { keys, ledger, farms, vaults, founded, days } = world;
  for (const spec of VAULTS) {
    const admin = vaultAdmin(keys, spec.key);
    const lookupTable = tableAddress(admin, founded);
    const vault = newVault(spec, keys, { time: founded, lookupTable });
    vaults.set(vaultAddress(keys, spec.key), vault);
    openVaultTokens(world, vault);
    if (spec.farm === undefined) continue;
    const address = vaultFarmAddress(keys, spec);
    const farm = foundFarm(ledger, {
      kind: 'staked',
      ...{ address, admin, time: founded, fundedDays: days + FUNDED_DAYS_AFTER },
      mint: vault.sharesMint,
      decimals: spec.sharesDecimals,
      reward: spec.farm,
    });
    farms.set(address, farm);
  }
}

function openVaultTokens({ ledger, reserves }: World, vault: VaultState): void {
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
