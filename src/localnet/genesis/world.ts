import { type Address, ZERO_ADDRESS } from '../../base/address.ts';
import type { ChainTime } from '../../base/time.ts';
import { lendingMarketAuthority } from '../../protocol/klend/pda.ts';
import { TOKEN_PROGRAM } from '../../protocol/spl/programs.ts';
import { DAYS_OF_PAST, daysBefore } from './days-before.ts';
import { createDice, type Dice } from './dice.ts';
import { Farming } from './farming.ts';
import { createKeys, type Keys } from './keys.ts';
import { Ledger, type MintFacts } from './ledger.ts';
import { Lending } from './lending.ts';
import { tableAddress } from './lookup-tables.ts';
import { marketAddress, marketOwner, newMarket, newReserve, reserveAddress } from './market.ts';
import { MARKETS, type MarketKey, type ReserveSpec } from './market-specs.ts';
import { createOracle, type Oracle } from './oracle.ts';
import { regulatedAccountExtensions, regulatedExtensions } from './regulated-extensions.ts';
import { Saving } from './saving.ts';
import { type GenesisToken, genesisTokens, tokenOf } from './tokens.ts';
import { newVault, vaultAddress, vaultAdmin, vaultFarmAddress } from './vault.ts';
import { VAULTS } from './vault-specs.ts';

/** Everything that the cluster begins with, while it is made. */
export type World = {
  readonly keys: Keys;
  readonly dice: Dice;
  readonly oracle: Oracle;
  readonly ledger: Ledger;
  readonly lending: Lending;
  readonly farming: Farming;
  readonly saving: Saving;
  /** When the cluster begins, and when its markets and vaults were made. */
  readonly at: ChainTime;
  readonly founded: ChainTime;
};

/** Tokens, markets, reserves, farms and vaults as they were made, nothing in them yet. */
export function foundWorld(seed: string, at: ChainTime, days = DAYS_OF_PAST): World {
  const keys = createKeys(seed);
  const dice = createDice(seed);
  const oracle = createOracle(keys, dice);
  const founded = daysBefore(at, days);
  const ledger = new Ledger();
  for (const token of genesisTokens.values()) ledger.addMint(token.mint, mintFacts(token, keys));
  const farming = new Farming(ledger);
  const moment = { time: founded, prices: oracle.pricesAt(founded, DAYS_OF_PAST) };
  const lending = new Lending({ ledger, farming, moment });
  const saving = new Saving({ ledger, lending, farming });
  const world = { keys, dice, oracle, ledger, lending, farming, saving, at, founded };
  for (const market of MARKETS) {
    lending.markets.set(marketAddress(keys, market.key), newMarket(market, keys));
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
  const { keys, ledger, lending, oracle, founded } = world;
  const authority = lendingMarketAuthority(marketAddress(keys, market));
  const farms = {
    collateral: foundReserveFarm(world, market, { spec, side: 'collateral' }),
    debt: foundReserveFarm(world, market, { spec, side: 'debt' }),
  };
  const reserve = newReserve({ market, spec, farms, oracle, time: founded }, keys);
  lending.reserves.set(reserveAddress(keys, market, spec.symbol), reserve);
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
  const { keys, farming, founded } = world;
  const reward = spec.rewards?.[side];
  if (reward === undefined) return ZERO_ADDRESS;
  const address = keys(`farm/${market}/${spec.symbol}/${side}`);
  const authority = lendingMarketAuthority(marketAddress(keys, market));
  const admin = marketOwner(keys, market);
  farming.create({ kind: 'delegated', address, admin, authority, reward, time: founded });
  return address;
}

function foundVaults({ keys, saving, farming, founded }: World): void {
  for (const spec of VAULTS) {
    const address = vaultAddress(keys, spec.key);
    const admin = vaultAdmin(keys, spec.key);
    const lookupTable = tableAddress(admin, founded);
    const vault = newVault(spec, keys, { time: founded, lookupTable });
    saving.create(address, vault);
    if (spec.farm === undefined) continue;
    farming.create({
      kind: 'staked',
      address: vaultFarmAddress(keys, spec),
      admin,
      mint: vault.sharesMint,
      decimals: spec.sharesDecimals,
      reward: spec.farm,
      time: founded,
    });
  }
}
