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

/** What names are given with. */
export type LabelingContext = {
  readonly book: AccountLabels;
  readonly source: LabelSource;
  readonly wallet: Address;
  /** All that the transaction names, each once. */
  readonly addresses: readonly Address[];
  readonly calls: readonly DecodedMessageInstruction[];
};

/** Deriving is what costs here; a transaction of usual size needs some thirty. */
const MOST_DERIVED = 256;

/** Names what can be derived from the wallet and the accounts that are named already. */
export function labelDerivedAccounts(naming: LabelingContext): void {
  const { source, addresses } = naming;
  const unnamed = new Set(addresses.filter((address) => !naming.book.labelOf(address)));
  let left = MOST_DERIVED;
  const isThere = (derive: () => Address): Address | undefined => {
    if (left === 0 || unnamed.size === 0) return undefined;
    left -= 1;
    const address = derive();
    return unnamed.delete(address) ? address : undefined;
  };
  nameTokenAccounts(naming, isThere);
  nameOpened(naming);
  for (const address of addresses) {
    const market = source.market(address);
    if (market !== undefined) nameOfMarket(market, naming, isThere);
  }
  for (const farm of addresses.filter((address) => source.farm(address))) {
    nameStakes(farm, naming, isThere);
  }
  nameOfPrograms(naming, isThere);
}

type IsThere = (derive: () => Address) => Address | undefined;

/** The wallet's accounts for every token that the transaction has to do with, then those that it creates for others. */
function nameTokenAccounts({ book, wallet, calls }: LabelingContext, isThere: IsThere): void {
  for (const mintAddress of new Set([...book.mints, ...calls.flatMap(mintsOf)])) {
    const known = book.tokenOf(mintAddress)?.tokenProgram;
    for (const program of known === undefined ? [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] : [known]) {
      const found = isThere(() => associatedTokenAddress(wallet, mintAddress, program));
      if (found !== undefined)
        nameHolding(found, { mint: mintAddress, owner: wallet }, { book, wallet });
    }
  }
  for (const { programName, told } of calls) {
    const { owner, mint: of, tokenProgram } = told?.accounts ?? {};
    if (programName !== 'associatedToken' || !owner || !of || !tokenProgram) continue;
    const found = isThere(() => associatedTokenAddress(owner, of, tokenProgram));
    if (found !== undefined) nameHolding(found, { mint: of, owner }, { book, wallet });
  }
}

/** By what instructions call their accounts. */
const mintsOf = ({ told }: DecodedMessageInstruction): Address[] =>
  Object.entries(told?.accounts ?? {}).flatMap(([name, address]) =>
    /mint$/i.test(name) && address !== undefined ? [address] : [],
  );

type Owned = { readonly mint: Address; readonly owner: Address };

function nameHolding(
  address: Address,
  { mint: of, owner }: Owned,
  { book, wallet }: Pick<LabelingContext, 'book' | 'wallet'>,
): void {
  const whose = owner === wallet ? 'the wallet’s account' : `the account of ${book.nameOf(owner)}`;
  book.label(address, `${whose} for ${book.unitOf(of)}`);
  book.holding(address, { mint: of, owner });
}

function nameOfMarket(
  { address, program }: { readonly address: Address; readonly program: Address },
  naming: LabelingContext,
  isThere: IsThere,
): void {
  const { book, wallet } = naming;
  const words = marketDisplayName(address, naming);
  const authority = isThere(() => lendingMarketAuthority(address, program));
  if (authority !== undefined) book.label(authority, `the authority of ${book.nameOf(address)}`);
  const metadata = isThere(() => userMetadataAddress(wallet, program));
  if (metadata !== undefined) {
    book.label(metadata, 'the wallet’s registration with the lending program');
  }
  const place = { kind: 'vanilla', owner: wallet, lendingMarket: address } as const;
  const loan = isThere(() => obligationAddress(place, program));
  if (loan !== undefined) book.label(loan, `the wallet’s loan in ${words}`);
}

/** In a farm of a reserve it is the loan that has a stake. */
function nameStakes(
  farm: Address,
  { book, wallet, calls }: LabelingContext,
  isThere: IsThere,
): void {
  const owners = calls.flatMap(({ told }) => told?.accounts['obligation'] ?? []);
  for (const owner of new Set([wallet, ...owners])) {
    const stake = isThere(() => userStateAddress(farm, owner));
    const whose = owner === wallet ? 'the wallet’s stake' : `the stake of ${book.nameOf(owner)}`;
    if (stake !== undefined) book.label(stake, `${whose} in ${book.nameOf(farm)}`);
  }
}

/** What programs keep for themselves. */
function nameOfPrograms({ book, calls }: LabelingContext, isThere: IsThere): void {
  for (const program of new Set(calls.map((call) => call.program))) {
    if (!KVAULT_PROGRAMS.includes(program)) continue;
    const events = isThere(() => eventAuthority(program));
    if (events !== undefined) book.label(events, 'the event log of the vault program');
    const settings = isThere(() => globalConfigAddress(program));
    if (settings !== undefined) book.label(settings, 'the settings of the vault program');
  }
  for (const { told } of calls) {
    const { globalConfig, rewardMint } = told?.accounts ?? {};
    if (globalConfig === undefined || rewardMint === undefined) continue;
    const treasury = isThere(() => treasuryVault(globalConfig, rewardMint));
    if (treasury !== undefined) book.label(treasury, 'the treasury of the farms program');
  }
}

/** Loans that the transaction itself opens: the program refuses any other address. */
function nameOpened(naming: LabelingContext): void {
  for (const { programName, name, told } of naming.calls) {
    const { obligation: address, obligationOwner: owner, lendingMarket } = told?.accounts ?? {};
    if (programName !== 'klend' || name !== 'initObligation') continue;
    if (address && owner && lendingMarket)
      labelObligation(address, { owner, lendingMarket }, naming);
  }
}

/** Names a stake by whose it is and where. */
export function labelFarmUser(
  address: Address,
  { owner, farmState }: { readonly owner: Address; readonly farmState: Address },
  { book, wallet }: Pick<LabelingContext, 'book' | 'wallet'>,
): void {
  const whose = owner === wallet ? 'the wallet’s stake' : `the stake of ${book.nameOf(owner)}`;
  book.label(address, `${whose} in ${book.nameOf(farmState)}`);
}

/** Names a loan by whose it is and where. */
export function labelObligation(
  address: Address,
  { owner, lendingMarket }: { readonly owner: Address; readonly lendingMarket: Address },
  naming: Pick<LabelingContext, 'book' | 'source' | 'wallet'>,
): void {
  const { book, wallet } = naming;
  const whose = owner === wallet ? 'the wallet’s loan' : `the loan of ${book.nameOf(owner)}`;
  book.label(address, `${whose} in ${marketDisplayName(lendingMarket, naming)}`);
}

/** Names what was read for it: token accounts, tokens, loans and stakes. */
export function labelLoadedAccount(
  address: Address,
  account: RawAccount,
  naming: LabelingContext,
): void {
  const { book } = naming;
  if (tokenAccount.matches(account)) {
    const holding = tokenAccount.view(account);
    labelStateAccount(holding.mint, naming);
    nameHolding(address, holding, naming);
  } else if (mint.matches(account)) {
    const { decimals } = mint.view(account);
    const unit = shortenAddress(address);
    book.token(address, { unit, decimals, tokenProgram: account.owner });
    book.label(address, `the token ${unit}`);
  } else if (obligation.matches(account)) {
    labelObligation(address, obligation.view(account), naming);
  } else if (userState.matches(account)) {
    labelFarmUser(address, userState.view(account), naming);
  }
}
