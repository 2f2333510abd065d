import type { Address } from '../../../base/encoding/address.ts';
import { type TokenMovement, tokenMovementOf } from '../../../protocol/spl/token-movements.ts';
import type { InstructionView, TransactionView } from '../transaction-view.ts';
import { type CallContext, indexCalls, toCall } from './call-index.ts';
import type { HistoryEventBody, OwnerLookup, VaultHistoryEvent } from './history-event.ts';
import { findInitializedAccount, findOwnerChange } from './token-account-owners.ts';
import { emptyVaultEvent } from './vault-events.ts';

type Past = HistoryEventBody<VaultHistoryEvent>;

/** A token account of a share mint, as it is between two calls. */
type ShareAccount = {
  readonly vault: Address;
  readonly owner: Address | undefined;
  readonly amount: bigint;
};

type ShareAccounts = Map<Address, ShareAccount>;

type Move = {
  readonly from: ShareAccount;
  /** Undefined for shares that were burned. */
  readonly to: ShareAccount | undefined;
  readonly sent: bigint;
  readonly received: bigint;
};

/**
 * Shares that went from one wallet to another by hand and not by the vault or a farm. All that
 * token programs did is followed call by call, as an account may be opened, handed over and closed
 * within the transaction.
 */
export function extractShareTransfers(view: TransactionView, facts: OwnerLookup): Past[] {
  const accounts = accountsBefore(view, facts);
  const moves: Past[] = [];
  for (const { instruction, ...place } of indexCalls(view).values()) {
    if (instruction.program !== 'token' && instruction.program !== 'token2022') continue;
    const move = follow(accounts, instruction, facts);
    if (move !== undefined && isByHand(place)) moves.push(...tell(move, instruction));
  }
  return moves;
}

const isByHand = ({ isInVault, isInFarms }: Omit<CallContext, 'instruction'>): boolean =>
  !isInVault && !isInFarms;

function accountsBefore(view: TransactionView, facts: OwnerLookup): ShareAccounts {
  const accounts: ShareAccounts = new Map();
  const afterwards = view.postTokenBalances.map((balance) => ({ ...balance, amount: 0n }));
  for (const { account, mint, owner, amount } of [...view.preTokenBalances, ...afterwards]) {
    const vault = facts.vaultOfShareMint(mint);
    if (vault !== undefined && !accounts.has(account))
      accounts.set(account, { vault, owner, amount });
  }
  return accounts;
}

/** What the call did to the accounts; what it moved, if it moved shares. */
function follow(
  accounts: ShareAccounts,
  instruction: InstructionView,
  facts: OwnerLookup,
): Move | undefined {
  const call = toCall(instruction);
  const opened = findInitializedAccount(call);
  if (opened !== undefined) {
    const vault = facts.vaultOfShareMint(opened.mint);
    if (vault === undefined) accounts.delete(opened.account);
    else accounts.set(opened.account, { vault, owner: opened.owner, amount: 0n });
    return undefined;
  }
  const handedOver = findOwnerChange(call);
  if (handedOver !== undefined) return handOver(accounts, handedOver);
  const movement = tokenMovementOf(call);
  return movement && apply(accounts, movement);
}

function handOver(
  accounts: ShareAccounts,
  { account, owner }: { readonly account: Address; readonly owner: Address },
): Move | undefined {
  const from = accounts.get(account);
  if (from === undefined) return undefined;
  const to = { ...from, owner };
  accounts.set(account, to);
  return { from, to, sent: from.amount, received: from.amount };
}

function apply(accounts: ShareAccounts, movement: TokenMovement): Move | undefined {
  const { kind, amount } = movement;
  const change = (account: Address, by: bigint): ShareAccount | undefined => {
    const before = accounts.get(account);
    if (before !== undefined) accounts.set(account, { ...before, amount: before.amount + by });
    return before;
  };
  if (kind === 'transfer') {
    const received = amount - (movement.fee ?? 0n);
    const from = change(movement.source, -amount);
    const to = change(movement.destination, received);
    const { vault } = from ?? to ?? {};
    if (vault === undefined) return undefined;
    const unknown = { vault, owner: undefined, amount: 0n };
    return { from: from ?? unknown, to: to ?? unknown, sent: amount, received };
  }
  const from = change(movement.account, kind === 'mint' ? amount : -amount);
  if (kind === 'mint' || from === undefined) return undefined;
  return { from, to: undefined, sent: amount, received: 0n };
}

/** Nothing for shares that stay with their owner. */
function tell({ from, to, sent, received }: Move, { path }: InstructionView): Past[] {
  if (sent === 0n) return [];
  const past = emptyVaultEvent({ path, vault: from.vault });
  if (to === undefined) {
    return [{ ...past, kind: 'shareBurn', wallet: from.owner, sharesAmount: sent }];
  }
  if (from.owner === to.owner && from.owner !== undefined) return [];
  const [giver, taker] = [from.owner, to.owner];
  return [
    { ...past, kind: 'shareTransferOut', wallet: giver, otherWallet: taker, sharesAmount: sent },
    {
      ...past,
      kind: 'shareTransferIn',
      leg: 1,
      wallet: taker,
      otherWallet: giver,
      sharesAmount: received,
    },
  ];
}
