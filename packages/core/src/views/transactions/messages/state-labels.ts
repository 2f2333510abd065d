import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { bytesToText } from '../../../base/encoding/bytes.ts';
import type { FarmStateView } from '../../../protocol/farms/layout/farm-state.ts';
import type { UserStateView } from '../../../protocol/farms/layout/user-state.ts';
import type { LendingMarketView } from '../../../protocol/klend/layout/lending-market.ts';
import type { ObligationView } from '../../../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../../../protocol/klend/layout/reserve.ts';
import type { VaultStateView } from '../../../protocol/kvault/layout/vault-state.ts';
import { usedAllocations } from '../../../protocol/kvault/math/holdings.ts';
import { TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import { marketName, type Placed } from '../../lending/market-snapshot.ts';
import type { FarmPurpose } from '../../portfolio/farm-stakes.ts';
import { isVaultShareFarm, vaultName } from '../../vaults/vault-snapshot.ts';
import {
  type AccountLabels,
  quoteName,
  shortenAddress,
  stripUnsafeCharacters,
} from './account-labels.ts';

/** Where names come from: what the programs keep, and the lists of people. */
export type LabelSource = {
  market(address: Address): Held<LendingMarketView> | undefined;
  reserve(address: Address): Held<ReserveView> | undefined;
  obligation(address: Address): Held<ObligationView> | undefined;
  vault(address: Address): Held<VaultStateView> | undefined;
  vaultOfShares(sharesMint: Address): Held<VaultStateView> | undefined;
  farm(address: Address): Held<FarmStateView> | undefined;
  /** Stakes of a wallet, and of its loans. */
  farmUsersOf(owner: Address): readonly Placed<UserStateView>[];
  farmPurpose(address: Address): FarmPurpose | undefined;
  /** As token lists have it. */
  listedToken(mint: Address): ListedToken | undefined;
  /** Undefined where the registry has none. */
  listedMarketName(market: Address): string | undefined;
  /** Whether what a market says of itself and its tokens is believed: anybody can make one. */
  isListed(market: Held<LendingMarketView>): boolean;
};

type Held<Fields> = Placed<Fields> & { readonly program: Address };

export type ListedToken = { readonly symbol: string; readonly decimals: number | undefined };

type Naming = { readonly book: AccountLabels; readonly source: LabelSource };

/** Names an account that the programs keep, and all that belongs to it. */
export function labelStateAccount(address: Address, naming: Naming): void {
  const { source } = naming;
  const market = source.market(address);
  const reserve = source.reserve(address);
  const vault = source.vault(address) ?? source.vaultOfShares(address);
  const farm = source.farm(address);
  if (market !== undefined) nameMarket(market, naming);
  if (reserve !== undefined) nameReserve(reserve, naming);
  if (vault !== undefined) nameVault(vault, naming);
  if (farm !== undefined) nameFarm(farm, naming);
  nameToken(address, undefined, naming);
}

/** “Main Market”, and whether anybody vouches for it. */
export function marketDisplayName(address: Address, { source }: Naming): string {
  const market = source.market(address);
  const listed = source.listedMarketName(address);
  const name = stripUnsafeCharacters(
    listed ?? (market === undefined ? '' : marketName(market.fields)),
  );
  const words = name === '' ? shortenAddress(address) : quoteName(name);
  const isBelieved = listed !== undefined || (market !== undefined && source.isListed(market));
  return isBelieved ? words : `${words} (a market that is not listed)`;
}

function nameMarket({ address }: Held<LendingMarketView>, naming: Naming): void {
  naming.book.label(address, `the lending market ${marketDisplayName(address, naming)}`);
}

function nameReserve({ address, fields }: Held<ReserveView>, naming: Naming): void {
  const { book, source } = naming;
  const { liquidity, collateral, config, lendingMarket } = fields;
  const mint = liquidity.mintPubkey;
  const market = source.market(lendingMarket);
  const isBelieved = market !== undefined && source.isListed(market);
  const own = isBelieved ? stripUnsafeCharacters(bytesToText(config.tokenInfo.name)) : '';
  const unit = unitOf(mint, own, naming);
  const decimals = Number(liquidity.mintDecimals);
  book.token(mint, { unit, decimals, tokenProgram: liquidity.tokenProgram });
  book.label(mint, mintLabel(unit));
  const words = `the ${unit} reserve of ${marketDisplayName(lendingMarket, naming)}`;
  book.label(address, words);
  book.label(liquidity.supplyVault, `the liquidity of ${words}`);
  book.holding(liquidity.supplyVault, { mint, owner: undefined });
  book.label(liquidity.feeVault, `the fees of ${words}`);
  book.holding(liquidity.feeVault, { mint, owner: undefined });
  const cToken = collateral.mintPubkey;
  book.token(cToken, { unit: `c${unit}`, decimals, tokenProgram: TOKEN_PROGRAM });
  book.label(cToken, `the collateral token of ${words}`);
  book.label(collateral.supplyVault, `the collateral of ${words}`);
  book.holding(collateral.supplyVault, { mint: cToken, owner: undefined });
  const { priceFeed } = config.tokenInfo.scopeConfiguration;
  if (priceFeed !== ZERO_ADDRESS) book.label(priceFeed, 'the oracle’s prices');
}

function nameVault({ address, fields }: Held<VaultStateView>, naming: Naming): void {
  const { book } = naming;
  const { tokenMint, sharesMint, tokenVault } = fields;
  const name = stripUnsafeCharacters(vaultName(fields));
  const short = name === '' ? shortenAddress(address) : quoteName(name);
  const words = `the earn vault ${short}`;
  const decimals = Number(fields.tokenMintDecimals);
  nameToken(tokenMint, { decimals, tokenProgram: fields.tokenProgram }, naming);
  book.token(sharesMint, {
    unit: `shares of ${short}`,
    decimals: Number(fields.sharesMintDecimals),
    tokenProgram: TOKEN_PROGRAM,
  });
  book.label(address, words);
  book.label(sharesMint, `the share token of ${words}`);
  book.label(tokenVault, `the ${book.unitOf(tokenMint)} of ${words}`);
  book.holding(tokenVault, { mint: tokenMint, owner: undefined });
  book.label(fields.baseVaultAuthority, `the authority of ${words}`);
  for (const { reserve, ctokenVault } of usedAllocations(fields)) {
    const lent = naming.source.reserve(reserve);
    if (lent !== undefined) nameReserve(lent, naming);
    book.label(ctokenVault, `the collateral tokens of ${words} from ${book.nameOf(reserve)}`);
  }
}

function nameFarm({ address, fields }: Held<FarmStateView>, naming: Naming): void {
  const { book } = naming;
  const { mint, decimals, tokenProgram } = fields.token;
  const words = farmWords(address, fields, naming);
  nameToken(mint, { decimals: Number(decimals), tokenProgram }, naming);
  book.label(address, words);
  // a delegated farm holds nothing, and names no account
  if (fields.farmVault !== ZERO_ADDRESS) {
    book.label(fields.farmVault, `what is staked in ${words}`);
    book.holding(fields.farmVault, { mint, owner: undefined });
  }
  book.label(fields.farmVaultsAuthority, `the authority of ${words}`);
  book.label(fields.globalConfig, 'the settings of the farms program');
  const rewards = [...fields.rewardInfos].slice(0, Number(fields.numRewardTokens));
  for (const { token, rewardsVault } of rewards) {
    nameToken(token.mint, { ...token, decimals: Number(token.decimals) }, naming);
    book.label(rewardsVault, `the ${book.unitOf(token.mint)} rewards of ${words}`);
    book.holding(rewardsVault, { mint: token.mint, owner: undefined });
  }
}

function farmWords(address: Address, farm: FarmStateView, naming: Naming): string {
  const { book, source } = naming;
  const purpose = source.farmPurpose(address);
  if (purpose?.kind === 'vault') {
    const vault = source.vault(purpose.vault.address);
    // a vault's account can name any farm
    if (vault !== undefined && isVaultShareFarm(vault.fields, farm)) {
      nameVault(vault, naming);
      return `the farm of ${book.nameOf(vault.address)}`;
    }
  }
  if (purpose?.kind === 'deposits' || purpose?.kind === 'debts') {
    const reserve = source.reserve(purpose.reserve.address);
    if (reserve !== undefined) nameReserve(reserve, naming);
    return `the farm for ${purpose.kind} of ${book.nameOf(purpose.reserve.address)}`;
  }
  nameToken(farm.token.mint, undefined, naming);
  return `the farm ${shortenAddress(address)}`;
}

type OnChain = { readonly decimals: number; readonly tokenProgram: Address };

/** `onChain`: what an account says of the token. Lists are asked for what people call it. */
function nameToken(mint: Address, onChain: OnChain | undefined, naming: Naming): void {
  const { book, source } = naming;
  const listed = source.listedToken(mint);
  if (mint === ZERO_ADDRESS || book.tokenOf(mint) !== undefined) return;
  if (listed === undefined && onChain === undefined) return;
  const unit = unitOf(mint, '', naming);
  const { decimals = listed?.decimals, tokenProgram } = onChain ?? {};
  book.token(mint, { unit, decimals, tokenProgram });
  book.label(mint, mintLabel(unit));
}

const unitOf = (mint: Address, own: string, { source }: Naming): string =>
  source.listedToken(mint)?.symbol || own || shortenAddress(mint);

const mintLabel = (unit: string): string => `the token ${unit}`;
