import { type Address, ZERO_ADDRESS } from '../../../base/encoding/address.ts';
import { bytesToText } from '../../../base/encoding/bytes.ts';
import { quoteName, untrustedSymbol } from '../../../base/encoding/foreign-text.ts';
import type { FarmStateView } from '../../../protocol/farms/layout/farm-state.ts';
import type { UserStateView } from '../../../protocol/farms/layout/user-state.ts';
import type { LendingMarketView } from '../../../protocol/klend/layout/lending-market.ts';
import type { ObligationView } from '../../../protocol/klend/layout/obligation.ts';
import type { ReserveView } from '../../../protocol/klend/layout/reserve.ts';
import type { VaultStateView } from '../../../protocol/kvault/layout/vault-state.ts';
import { usedAllocations } from '../../../protocol/kvault/math/holdings.ts';
import { TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import { type AddressedAccount, marketName } from '../../lending/market-snapshot.ts';
import type { FarmPurpose } from '../../portfolio/farm-stakes.ts';
import { isVaultShareFarm, vaultName } from '../../vaults/vault-snapshot.ts';
import { type AccountLabels, shortenAddress } from './account-labels.ts';

/** The sources of labels: program accounts, and lists of tokens and markets. */
export type LabelSource = {
  market(address: Address): ProgramAccount<LendingMarketView> | undefined;
  reserve(address: Address): ProgramAccount<ReserveView> | undefined;
  obligation(address: Address): ProgramAccount<ObligationView> | undefined;
  vault(address: Address): ProgramAccount<VaultStateView> | undefined;
  vaultOfShares(sharesMint: Address): ProgramAccount<VaultStateView> | undefined;
  farm(address: Address): ProgramAccount<FarmStateView> | undefined;
  /** Stakes of a wallet and of its loans. */
  farmUsersOf(owner: Address): readonly AddressedAccount<UserStateView>[];
  farmPurpose(address: Address): FarmPurpose | undefined;
  /** From a token list. */
  listedToken(mint: Address): ListedToken | undefined;
  /** From the registry; undefined if it is not listed. */
  listedMarketName(market: Address): string | undefined;
  /** Whether the names of a market and its tokens are trusted: anyone can create a market. */
  isListed(market: ProgramAccount<LendingMarketView>): boolean;
};

type ProgramAccount<Fields> = AddressedAccount<Fields> & { readonly program: Address };

export type ListedToken = {
  readonly symbol: string;
  /** False if anybody may have put the symbol on the list. */
  readonly isVerified?: boolean;
  readonly decimals: number | undefined;
};

type StateLabeling = { readonly labels: AccountLabels; readonly source: LabelSource };

/** Labels a program account and its related accounts. */
export function labelStateAccount(address: Address, labeling: StateLabeling): void {
  const { source } = labeling;
  const market = source.market(address);
  const reserve = source.reserve(address);
  const vault = source.vault(address) ?? source.vaultOfShares(address);
  const farm = source.farm(address);
  if (market !== undefined) labelMarket(market, labeling);
  if (reserve !== undefined) labelReserve(reserve, labeling);
  if (vault !== undefined) labelVault(vault, labeling);
  if (farm !== undefined) labelFarm(farm, labeling);
  labelToken(address, undefined, labeling);
}

/** “Main Market”, with a note if the market is not listed. */
export function marketDisplayName(address: Address, { source }: StateLabeling): string {
  const market = source.market(address);
  const listed = source.listedMarketName(address);
  const name = quoteName(listed ?? (market === undefined ? '' : marketName(market.fields)));
  const label = name || shortenAddress(address);
  const isTrusted = listed !== undefined || (market !== undefined && source.isListed(market));
  return isTrusted ? label : `${label} (an unlisted market)`;
}

function labelMarket(
  { address }: ProgramAccount<LendingMarketView>,
  labeling: StateLabeling,
): void {
  labeling.labels.addLabel(address, `the lending market ${marketDisplayName(address, labeling)}`);
}

function labelReserve(
  { address, fields }: ProgramAccount<ReserveView>,
  labeling: StateLabeling,
): void {
  const { labels, source } = labeling;
  const { liquidity, collateral, config, lendingMarket } = fields;
  const mint = liquidity.mintPubkey;
  const market = source.market(lendingMarket);
  const isTrusted = market !== undefined && source.isListed(market);
  const reserveName = isTrusted ? untrustedSymbol(bytesToText(config.tokenInfo.name)) : '';
  const unit = unitOf(mint, reserveName, labeling);
  const decimals = Number(liquidity.mintDecimals);
  labels.addToken(mint, { unit, decimals, tokenProgram: liquidity.tokenProgram });
  labels.addLabel(mint, mintLabel(unit));
  const label = `the ${unit} reserve of ${marketDisplayName(lendingMarket, labeling)}`;
  labels.addLabel(address, label);
  labels.addLabel(liquidity.supplyVault, `the liquidity of ${label}`);
  labels.addTokenAccount(liquidity.supplyVault, { mint, owner: undefined });
  labels.addLabel(liquidity.feeVault, `the fees of ${label}`);
  labels.addTokenAccount(liquidity.feeVault, { mint, owner: undefined });
  const cToken = collateral.mintPubkey;
  labels.addToken(cToken, { unit: `c${unit}`, decimals, tokenProgram: TOKEN_PROGRAM });
  labels.addLabel(cToken, `the collateral token of ${label}`);
  labels.addLabel(collateral.supplyVault, `the collateral of ${label}`);
  labels.addTokenAccount(collateral.supplyVault, { mint: cToken, owner: undefined });
  const { priceFeed } = config.tokenInfo.scopeConfiguration;
  if (priceFeed !== ZERO_ADDRESS) labels.addLabel(priceFeed, 'the oracle’s prices');
}

function labelVault(
  { address, fields }: ProgramAccount<VaultStateView>,
  labeling: StateLabeling,
): void {
  const { labels } = labeling;
  const { tokenMint, sharesMint, tokenVault } = fields;
  const short = quoteName(vaultName(fields)) || shortenAddress(address);
  const label = `the earn vault ${short}`;
  const decimals = Number(fields.tokenMintDecimals);
  labelToken(tokenMint, { decimals, tokenProgram: fields.tokenProgram }, labeling);
  labels.addToken(sharesMint, {
    unit: `shares of ${short}`,
    decimals: Number(fields.sharesMintDecimals),
    tokenProgram: TOKEN_PROGRAM,
  });
  labels.addLabel(address, label);
  labels.addLabel(sharesMint, `the share token of ${label}`);
  labels.addLabel(tokenVault, `the ${labels.unitOf(tokenMint)} of ${label}`);
  labels.addTokenAccount(tokenVault, { mint: tokenMint, owner: undefined });
  labels.addLabel(fields.baseVaultAuthority, `the authority of ${label}`);
  for (const { reserve, ctokenVault } of usedAllocations(fields)) {
    const lent = labeling.source.reserve(reserve);
    if (lent !== undefined) labelReserve(lent, labeling);
    labels.addLabel(
      ctokenVault,
      `the collateral tokens of ${label} from ${labels.nameOf(reserve)}`,
    );
  }
}

function labelFarm(
  { address, fields }: ProgramAccount<FarmStateView>,
  labeling: StateLabeling,
): void {
  const { labels } = labeling;
  const { mint, decimals, tokenProgram } = fields.token;
  const label = farmLabel(address, fields, labeling);
  labelToken(mint, { decimals: Number(decimals), tokenProgram }, labeling);
  labels.addLabel(address, label);
  // A delegated farm has no token account.
  if (fields.farmVault !== ZERO_ADDRESS) {
    labels.addLabel(fields.farmVault, `the staked tokens of ${label}`);
    labels.addTokenAccount(fields.farmVault, { mint, owner: undefined });
  }
  labels.addLabel(fields.farmVaultsAuthority, `the authority of ${label}`);
  labels.addLabel(fields.globalConfig, 'the global config of the farms program');
  const rewards = [...fields.rewardInfos].slice(0, Number(fields.numRewardTokens));
  for (const { token, rewardsVault } of rewards) {
    labelToken(token.mint, { ...token, decimals: Number(token.decimals) }, labeling);
    labels.addLabel(rewardsVault, `the ${labels.unitOf(token.mint)} rewards of ${label}`);
    labels.addTokenAccount(rewardsVault, { mint: token.mint, owner: undefined });
  }
}

function farmLabel(address: Address, farm: FarmStateView, labeling: StateLabeling): string {
  const { labels, source } = labeling;
  const purpose = source.farmPurpose(address);
  if (purpose?.kind === 'vault') {
    const vault = source.vault(purpose.vault.address);
    // A vault's account can name any farm.
    if (vault !== undefined && isVaultShareFarm(vault.fields, farm)) {
      labelVault(vault, labeling);
      return `the farm of ${labels.nameOf(vault.address)}`;
    }
  }
  if (purpose?.kind === 'deposits' || purpose?.kind === 'debts') {
    const reserve = source.reserve(purpose.reserve.address);
    if (reserve !== undefined) labelReserve(reserve, labeling);
    return `the farm for ${purpose.kind} of ${labels.nameOf(purpose.reserve.address)}`;
  }
  labelToken(farm.token.mint, undefined, labeling);
  return `the farm ${shortenAddress(address)}`;
}

type TokenData = { readonly decimals: number; readonly tokenProgram: Address };

/** `onChain`: the token's account data. The symbol comes from token lists. */
function labelToken(mint: Address, onChain: TokenData | undefined, labeling: StateLabeling): void {
  const { labels, source } = labeling;
  const listed = source.listedToken(mint);
  if (mint === ZERO_ADDRESS || labels.tokenOf(mint) !== undefined) return;
  if (listed === undefined && onChain === undefined) return;
  const unit = unitOf(mint, '', labeling);
  const { decimals = listed?.decimals, tokenProgram } = onChain ?? {};
  labels.addToken(mint, { unit, decimals, tokenProgram });
  labels.addLabel(mint, mintLabel(unit));
}

function unitOf(mint: Address, reserveName: string, { source }: StateLabeling): string {
  const { symbol = '', isVerified = true } = source.listedToken(mint) ?? {};
  const name = untrustedSymbol(symbol);
  if (name !== '') return isVerified ? name : `${name} (not verified)`;
  return reserveName || shortenAddress(mint);
}

const mintLabel = (unit: string): string => `the token ${unit}`;
