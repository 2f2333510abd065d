import type { Address } from '../../../base/encoding/address.ts';
import type { RawAccount } from '../../../base/solana/account.ts';
import type { DescriptionContext } from '../descriptions/instruction-description.ts';
import { AccountLabels } from './account-labels.ts';
import { builtInLabels } from './built-in-labels.ts';
import {
  type LabelingContext,
  labelDerivedAccounts,
  labelFarmUser,
  labelLoadedAccount,
  labelObligation,
} from './derived-labels.ts';
import type { LoadedMessage } from './loaded-message.ts';
import {
  type DecodedMessageInstruction,
  decodeMessageInstructions,
} from './message-instructions.ts';
import { type LabelSource, labelStateAccount } from './state-labels.ts';

/** A transaction with names for what is in it, as far as they are known. */
export type LabeledMessage = {
  readonly message: LoadedMessage;
  readonly calls: readonly DecodedMessageInstruction[];
  readonly words: DescriptionContext;
  labelOf(address: Address): string | undefined;
  /** Accounts whose bytes would tell more. */
  readonly unread: readonly Address[];
};

/** What of an account to read: a loan, a stake, or the fixed part of a token account or a mint. */
export const LABELED_ACCOUNT_BYTES = 4096;

/** One request to a node. */
const MOST_READ = 100;

/** `read`: accounts that were unread before, undefined where they do not exist. */
export function labelMessage(
  message: LoadedMessage,
  source: LabelSource,
  read: ReadonlyMap<Address, RawAccount | undefined> = new Map(),
): LabeledMessage {
  const calls = decodeMessageInstructions(message);
  const naming = namingOf(message, source, calls);
  nameAll(naming, message, read);
  const { book } = naming;
  const notable = new Set(calls.flatMap(({ told }) => told?.notable ?? []));
  const isUnread = (address: Address) => !book.labelOf(address) && !read.has(address);
  return {
    message,
    calls,
    words: wordsOf(naming),
    labelOf: (address) => book.labelOf(address),
    unread: [...notable].filter(isUnread).slice(0, MOST_READ),
  };
}

function namingOf(
  { message, accounts }: LoadedMessage,
  source: LabelSource,
  calls: readonly DecodedMessageInstruction[],
): LabelingContext {
  const addresses = accounts.map(({ address }) => address);
  const wallet = message.staticKeys[0] ?? noPayer();
  return { book: new AccountLabels(), source, wallet, calls, addresses: [...new Set(addresses)] };
}

/** Surest names first. */
function nameAll(
  naming: LabelingContext,
  { accounts }: LoadedMessage,
  read: ReadonlyMap<Address, RawAccount | undefined>,
): void {
  const { book, source, wallet, addresses } = naming;
  for (const [address, label] of builtInLabels) book.label(address, label);
  book.label(wallet, 'the wallet');
  for (const { address, isSigner } of accounts)
    if (isSigner) book.label(address, `the signer ${address}`);
  for (const address of addresses) labelStateAccount(address, naming);
  for (const address of addresses) {
    const loan = source.obligation(address);
    if (loan !== undefined) labelObligation(address, loan.fields, naming);
  }
  for (const { address, fields } of source.farmUsersOf(wallet))
    labelFarmUser(address, fields, naming);
  labelDerivedAccounts(naming);
  for (const [address, account] of read) if (account) labelLoadedAccount(address, account, naming);
}

function wordsOf({ book, source, wallet }: LabelingContext): DescriptionContext {
  const ownerOf = (address: Address) => book.holdingOf(address)?.owner;
  return {
    wallet,
    name: (address) => book.nameOf(address),
    tokens: (amount, mint) => book.amountOf(amount, mint),
    unit: (mint) => book.unitOf(mint),
    mintOf: (account) => book.holdingOf(account)?.mint,
    ownerOf,
    stakedMint: (farm) => source.farm(farm)?.fields.token.mint,
    isOwn: (address) => address === wallet || ownerOf(address) === wallet,
  };
}

/** A message is checked when it is decoded: somebody pays. */
function noPayer(): never {
  throw new Error('a checked message has nobody who pays');
}
