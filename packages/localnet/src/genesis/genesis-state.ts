import { type Address, ZERO_ADDRESS } from '@tidegate/core/base';
import type { FarmState } from '@tidegate/core/protocol/farms/layout';
import { lendingMarketAuthority } from '@tidegate/core/protocol/klend';
import type { LendingMarket, Reserve } from '@tidegate/core/protocol/klend/layout';
import type { VaultState } from '@tidegate/core/protocol/kvault/layout';
import { usedAllocations } from '@tidegate/core/protocol/kvault/math';
import type { ProgramRules } from '@tidegate/core/protocol/releases';
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

/** The configured protocol state: everything that admins set up. */
export type GenesisState = Bootstrap & {
  readonly rules: ProgramRules;
  readonly keys: SeededKeys;
  readonly random: SeededRandom;
  readonly oracle: Oracle;
  readonly ledger: TokenLedger;
  readonly markets: Map<Address, LendingMarket>;
  readonly reserves: Map<Address, Reserve>;
  readonly farms: Map<Address, FarmState>;
  readonly vaults: Map<Address, VaultState>;
};

/** Days after the end of the simulation for which farms are funded. */
const FUNDED_DAYS_AFTER_END = 400;

/** Tokens, markets, reserves, farms and vaults without positions. */
export function createGenesisState(
  { seed, startTime, days }: Bootstrap,
  rules: ProgramRules,
): GenesisState {
  const keys = createSeededKeys(seed);
  const random = createSeededRandom(seed);
  const oracle = createOracle(keys, random);
  const ledger = new TokenLedger();
  for (const token of genesisTokens.values()) ledger.addMint(token.mint, mintSpec(token, keys));
  const state: GenesisState = {
    seed,
    keys,
    random,
    oracle,
    ledger,
    startTime,
    days,
    rules,
    markets: new Map(),
    reserves: new Map(),
    farms: new Map(),
    vaults: new Map(),
  };
  for (const market of MARKET_SPECS) {
    state.markets.set(marketAddress(keys, market.key), createMarket(market, keys));
    for (const spec of market.reserves) addReserve(state, market.key, spec);
  }
  addVaults(state);
  return state;
}

function mintSpec(
  { symbol, mint, decimals, tokenProgram }: GenesisToken,
  keys: SeededKeys,
): MintSpec {
  const authority = symbol === 'SOL' ? ZERO_ADDRESS : keys(`issuer/${symbol}`);
  const spec = { decimals, tokenProgram, authority };
  if (tokenProgram === TOKEN_PROGRAM) return spec;
  return {
    ...spec,
    extensions: regulatedExtensions({ mint, authority, symbol, name: 'PayPal USD' }),
    accountExtensions: regulatedAccountExtensions,
  };
}

function addReserve(state: GenesisState, market: MarketKey, spec: ReserveSpec): void {
  const { keys, ledger, reserves, oracle, startTime: time } = state;
  const rules = state.rules.lending;
  const authority = lendingMarketAuthority(marketAddress(keys, market));
  const farms = {
    collateral: addReserveFarm(state, market, { spec, side: 'collateral' }),
    debt: addReserveFarm(state, market, { spec, side: 'debt' }),
  };
  const reserve = createReserve({ market, spec, farms, oracle, time, rules }, keys);
  reserves.set(reserveAddress(keys, market, spec.symbol), reserve);
  const { liquidity, collateral } = reserve;
  ledger.addMint(collateral.mintPubkey, {
    decimals: tokenBySymbol(spec.symbol).decimals,
    tokenProgram: TOKEN_PROGRAM,
    authority,
  });
  ledger.openAccount(liquidity.supplyVault, { mint: liquidity.mintPubkey, owner: authority });
  ledger.openAccount(liquidity.feeVault, { mint: liquidity.mintPubkey, owner: authority });
  ledger.openAccount(collateral.supplyVault, { mint: collateral.mintPubkey, owner: authority });
}

type ReserveFarmSpec = { readonly spec: ReserveSpec; readonly side: 'collateral' | 'debt' };

/** The zero address if the reserve has no such farm. */
function addReserveFarm(
  state: GenesisState,
  market: MarketKey,
  { spec, side }: ReserveFarmSpec,
): Address {
  const { keys, ledger, farms, startTime, days } = state;
  const reward = spec.rewards?.[side];
  if (reward === undefined) return ZERO_ADDRESS;
  const address = keys(`farm/${market}/${spec.symbol}/${side}`);
  const farm = createFarm(ledger, {
    kind: 'delegated',
    address,
    reward,
    time: startTime,
    fundedDays: days + FUNDED_DAYS_AFTER_END,
    admin: marketOwnerAddress(keys, market),
    authority: lendingMarketAuthority(marketAddress(keys, market)),
  });
  farms.set(address, farm);
  return address;
}

function addVaults(state: GenesisState): void {
  const { keys, ledger, farms, vaults, startTime, days } = state;
  const rules = state.rules.vaults;
  for (const spec of VAULT_SPECS) {
    const admin = vaultAdminAddress(keys, spec.key);
    const lookupTable = genesisTableAddress(admin, startTime);
    const vault = createVault(spec, keys, { time: startTime, lookupTable, rules });
    vaults.set(vaultAddress(keys, spec.key), vault);
    openVaultTokens(state, vault);
    if (spec.farm === undefined) continue;
    const address = vaultFarmAddress(keys, spec);
    const farm = createFarm(ledger, {
      kind: 'staked',
      address,
      admin,
      time: startTime,
      fundedDays: days + FUNDED_DAYS_AFTER_END,
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
  ledger.openAccount(vault.tokenVault, { mint: vault.tokenMint, owner });
  for (const { reserve, ctokenVault } of usedAllocations(vault)) {
    const mint = reserves.get(reserve)?.collateral.mintPubkey;
    if (mint !== undefined) ledger.openAccount(ctokenVault, { mint, owner });
  }
}
