import type { Address } from '../../../base/encoding/address.ts';
import type { RawAccount } from '../../../base/solana/account.ts';
import { userState } from '../../../protocol/farms/layout/user-state.ts';
import { treasuryVault, userStateAddress } from '../../../protocol/farms/pda.ts';
import { obligation } from '../../../protocol/klend/layout/obligation.ts';
import {
  lendingMarketAuthority,
  obligationAddress,
  userMetadataAddress,
} from '../../../protocol/klend/pda.ts';
import { eventAuthority, globalConfigAddress } from '../../../protocol/kvault/pda.ts';
import { KVAULT_PROGRAMS } from '../../../protocol/kvault/program.ts';
import { associatedTokenAddress } from '../../../protocol/spl/associated-token.ts';
import { mint } from '../../../protocol/spl/layout/mint.ts';
import { tokenAccount } from '../../../protocol/spl/layout/token-account.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../protocol/spl/programs.ts';
import { type AccountLabels, shortenAddress } from './account-labels.ts';
import type { DecodedMessageInstruction } from './message-instructions.ts';
import { type LabelSource, labelStateAccount, marketDisplayName } from './state-labels.ts';

/** The inputs and output of labeling. */
export type LabelingContext = {
  readonly labels: AccountLabels;
  readonly source: LabelSource;
  readonly wallet: Address;
  /** All accounts of the transaction, without duplicates. */
  readonly addresses: readonly Address[];
  readonly calls: readonly DecodedMessageInstruction[];
};

/** Limits the cost of derivations; a typical transaction needs about thirty. */
const MAX_DERIVATIONS = 256;

/** Labels accounts that can be derived from the wallet and the labeled accounts. */
export function labelDerivedAccounts(context: LabelingContext): void {
  const { source, addresses } = context;
  const unlabeled = new Set(addresses.filter((address) => !context.labels.labelOf(address)));
  let left = MAX_DERIVATIONS;
  const findDerived = (derive: () => Address): Address | undefined => {
    if (left === 0 || unlabeled.size === 0) return undefined;
    left -= 1;
    const address = derive();
    return unlabeled.delete(address) ? address : undefined;
  };
  labelTokenAccounts(context, findDerived);
  labelOpenedLoans(context);
  for (const address of addresses) {
    const market = source.market(address);
    if (market !== undefined) labelMarketAccounts(market, context, findDerived);
  }
  for (const farm of addresses.filter((address) => source.farm(address))) {
    labelStakes(farm, context, findDerived);
  }
  labelProgramAccounts(context, findDerived);
}

type FindDerived = (derive: () => Address) => Address | undefined;

/**
 * The wallet's accounts for every mint of the transaction, then the accounts it creates for others.
 */
function labelTokenAccounts(
  { labels, wallet, calls }: LabelingContext,
  findDerived: FindDerived,
): void {
  for (const mintAddress of new Set([...labels.mints, ...calls.flatMap(mintsOf)])) {
    const known = labels.tokenOf(mintAddress)?.tokenProgram;
    for (const program of known === undefined ? [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] : [known]) {
      const found = findDerived(() => associatedTokenAddress(wallet, mintAddress, program));
      if (found !== undefined)
        labelTokenAccount(found, { mint: mintAddress, owner: wallet }, { labels, wallet });
    }
  }
  for (const { programName, described } of calls) {
    const { owner, mint: mintAddress, tokenProgram } = described?.accounts ?? {};
    if (programName !== 'associatedToken' || !owner || !mintAddress || !tokenProgram) continue;
    const found = findDerived(() => associatedTokenAddress(owner, mintAddress, tokenProgram));
    if (found !== undefined)
      labelTokenAccount(found, { mint: mintAddress, owner }, { labels, wallet });
  }
}

/** By the account names of the instructions. */
const mintsOf = ({ described }: DecodedMessageInstruction): Address[] =>
  Object.entries(described?.accounts ?? {}).flatMap(([name, address]) =>
    /mint$/i.test(name) && address !== undefined ? [address] : [],
  );

type Owned = { readonly mint: Address; readonly owner: Address };

function labelTokenAccount(
  address: Address,
  { mint: mintAddress, owner }: Owned,
  { labels, wallet }: Pick<LabelingContext, 'labels' | 'wallet'>,
): void {
  const account =
    owner === wallet ? 'the wallet’s account' : `the account of ${labels.nameOf(owner)}`;
  labels.addLabel(address, `${account} for ${labels.unitOf(mintAddress)}`);
  labels.addTokenAccount(address, { mint: mintAddress, owner });
}

function labelMarketAccounts(
  { address, program }: { readonly address: Address; readonly program: Address },
  context: LabelingContext,
  findDerived: FindDerived,
): void {
  const { labels, wallet } = context;
  const marketLabel = marketDisplayName(address, context);
  const authority = findDerived(() => lendingMarketAuthority(address, program));
  if (authority !== undefined)
    labels.addLabel(authority, `the authority of ${labels.nameOf(address)}`);
  const metadata = findDerived(() => userMetadataAddress(wallet, program));
  if (metadata !== undefined) {
    labels.addLabel(metadata, 'the wallet’s user metadata');
  }
  const obligationKey = { kind: 'vanilla', owner: wallet, lendingMarket: address } as const;
  const loan = findDerived(() => obligationAddress(obligationKey, program));
  if (loan !== undefined) labels.addLabel(loan, `the wallet’s loan in ${marketLabel}`);
}

/** In the farm of a reserve, the stake belongs to the loan. */
function labelStakes(
  farm: Address,
  { labels, wallet, calls }: LabelingContext,
  findDerived: FindDerived,
): void {
  const owners = calls.flatMap(({ described }) => described?.accounts['obligation'] ?? []);
  for (const owner of new Set([wallet, ...owners])) {
    const stake = findDerived(() => userStateAddress(farm, owner));
    const label = owner === wallet ? 'the wallet’s stake' : `the stake of ${labels.nameOf(owner)}`;
    if (stake !== undefined) labels.addLabel(stake, `${label} in ${labels.nameOf(farm)}`);
  }
}

/** Global accounts of the programs. */
function labelProgramAccounts({ labels, calls }: LabelingContext, findDerived: FindDerived): void {
  for (const program of new Set(calls.map((call) => call.program))) {
    if (!KVAULT_PROGRAMS.includes(program)) continue;
    const events = findDerived(() => eventAuthority(program));
    if (events !== undefined) labels.addLabel(events, 'the event authority of the vault program');
    const config = findDerived(() => globalConfigAddress(program));
    if (config !== undefined) labels.addLabel(config, 'the global config of the vault program');
  }
  for (const { described } of calls) {
    const { globalConfig, rewardMint } = described?.accounts ?? {};
    if (globalConfig === undefined || rewardMint === undefined) continue;
    const treasury = findDerived(() => treasuryVault(globalConfig, rewardMint));
    if (treasury !== undefined) labels.addLabel(treasury, 'the treasury of the farms program');
  }
}

/** Loans that the transaction opens. The program accepts no other address. */
function labelOpenedLoans(context: LabelingContext): void {
  for (const { programName, name, described } of context.calls) {
    const {
      obligation: address,
      obligationOwner: owner,
      lendingMarket,
    } = described?.accounts ?? {};
    if (programName !== 'klend' || name !== 'initObligation') continue;
    if (address && owner && lendingMarket)
      labelObligation(address, { owner, lendingMarket }, context);
  }
}

/** Labels a stake with its owner and farm. */
export function labelFarmUser(
  address: Address,
  { owner, farmState }: { readonly owner: Address; readonly farmState: Address },
  { labels, wallet }: Pick<LabelingContext, 'labels' | 'wallet'>,
): void {
  const stake = owner === wallet ? 'the wallet’s stake' : `the stake of ${labels.nameOf(owner)}`;
  labels.addLabel(address, `${stake} in ${labels.nameOf(farmState)}`);
}

/** Labels a loan with its owner and market. */
export function labelObligation(
  address: Address,
  { owner, lendingMarket }: { readonly owner: Address; readonly lendingMarket: Address },
  context: Pick<LabelingContext, 'labels' | 'source' | 'wallet'>,
): void {
  const { labels, wallet } = context;
  const loan = owner === wallet ? 'the wallet’s loan' : `the loan of ${labels.nameOf(owner)}`;
  labels.addLabel(address, `${loan} in ${marketDisplayName(lendingMarket, context)}`);
}

/** Labels an account that was read: a token account, a mint, a loan or a stake. */
export function labelLoadedAccount(
  address: Address,
  account: RawAccount,
  context: LabelingContext,
): void {
  const { labels } = context;
  if (tokenAccount.matches(account)) {
    const holding = tokenAccount.view(account);
    labelStateAccount(holding.mint, context);
    labelTokenAccount(address, holding, context);
  } else if (mint.matches(account)) {
    const { decimals } = mint.view(account);
    const unit = shortenAddress(address);
    labels.addToken(address, { unit, decimals, tokenProgram: account.owner });
    labels.addLabel(address, `the token ${unit}`);
  } else if (obligation.matches(account)) {
    labelObligation(address, obligation.view(account), context);
  } else if (userState.matches(account)) {
    labelFarmUser(address, userState.view(account), context);
  }
}
