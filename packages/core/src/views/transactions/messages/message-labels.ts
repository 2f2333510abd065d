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

/** A transaction with labels for its accounts. */
export type LabeledMessage = {
  readonly message: LoadedMessage;
  readonly calls: readonly DecodedMessageInstruction[];
  readonly context: DescriptionContext;
  labelOf(address: Address): string | undefined;
  /** Accounts that must be read for further labels. */
  readonly unread: readonly Address[];
};

/** Bytes to read of an account: a loan, a stake, or the fixed part of a token account or a mint. */
export const LABELED_ACCOUNT_BYTES = 4096;

/** The account limit of one RPC request. */
const MAX_READ = 100;

/** `read`: previously unread accounts; undefined if they do not exist. */
export function labelMessage(
  message: LoadedMessage,
  source: LabelSource,
  read: ReadonlyMap<Address, RawAccount | undefined> = new Map(),
): LabeledMessage {
  const calls = decodeMessageInstructions(message);
  const labeling = createLabelingContext(message, source, calls);
  labelAll(labeling, message, read);
  const { labels } = labeling;
  const notable = new Set(calls.flatMap(({ described }) => described?.notable ?? []));
  const isUnread = (address: Address) => !labels.labelOf(address) && !read.has(address);
  return {
    message,
    calls,
    context: createDescriptionContext(labeling),
    labelOf: (address) => labels.labelOf(address),
    unread: [...notable].filter(isUnread).slice(0, MAX_READ),
  };
}

function createLabelingContext(
  { message, accounts }: LoadedMessage,
  source: LabelSource,
  calls: readonly DecodedMessageInstruction[],
): LabelingContext {
  const addresses = accounts.map(({ address }) => address);
  const wallet = message.staticKeys[0] ?? noPayer();
  return {
    labels: new AccountLabels(),
    source,
    wallet,
    calls,
    addresses: [...new Set(addresses)],
  };
}

/** Most reliable labels first. */
function labelAll(
  context: LabelingContext,
  { accounts }: LoadedMessage,
  read: ReadonlyMap<Address, RawAccount | undefined>,
): void {
  const { labels, source, wallet, addresses } = context;
  for (const [address, label] of builtInLabels) labels.addLabel(address, label);
  labels.addLabel(wallet, 'the wallet');
  for (const { address, isSigner } of accounts)
    if (isSigner) labels.addLabel(address, `the signer ${address}`);
  for (const address of addresses) labelStateAccount(address, context);
  for (const address of addresses) {
    const loan = source.obligation(address);
    if (loan !== undefined) labelObligation(address, loan.fields, context);
  }
  for (const { address, fields } of source.farmUsersOf(wallet))
    labelFarmUser(address, fields, context);
  labelDerivedAccounts(context);
  for (const [address, account] of read) if (account) labelLoadedAccount(address, account, context);
}

function createDescriptionContext({ labels, source, wallet }: LabelingContext): DescriptionContext {
  const ownerOf = (address: Address) => labels.tokenAccountOf(address)?.owner;
  return {
    wallet,
    name: (address) => labels.nameOf(address),
    tokens: (amount, mint) => labels.amountOf(amount, mint),
    unit: (mint) => labels.unitOf(mint),
    mintOf: (account) => labels.tokenAccountOf(account)?.mint,
    ownerOf,
    stakedMint: (farm) => source.farm(farm)?.fields.token.mint,
    isOwn: (address) => address === wallet || ownerOf(address) === wallet,
  };
}

/** The fee payer is validated when the message is decoded. */
function noPayer(): never {
  throw new Error('a validated message has no fee payer');
}
