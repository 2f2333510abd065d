import type { Address } from '../../../base/encoding/address.ts';
import { type TokenMovement, tokenMovementOf } from '../../../protocol/spl/token-movements.ts';
import type { InstructionView, TransactionView } from '../transaction-view.ts';
import { type CallContext, indexCalls, toCall } from './call-index.ts';
import type { HistoryEventBody, OwnerLookup, VaultHistoryEvent } from './history-event.ts';
import { findInitializedAccount, findOwnerChange } from './token-account-owners.ts';
import { emptyVaultEvent } from './vault-events.ts';

type EventBody = HistoryEventBody<VaultHistoryEvent>;

/** The state of a share token account between two calls. */
type ShareAccount = {
  readonly vault: Address;
  readonly owner: Address | undefined;
  readonly amount: bigint;
};

type ShareAccounts = Map<Address, ShareAccount>;

type Move = {
  readonly from: ShareAccount;
  /** Undefined for burned shares. */
  readonly to: ShareAccount | undefined;
  readonly sent: bigint;
  readonly received: bigint;
};

/**
 * Share transfers between wallets, not made by the vault or a farm. Replays all token program
 * calls, because an account may be created, transferred and closed within the transaction.
 */
export function extractShareTransfers(view: TransactionView, lookup: OwnerLookup): EventBody[] {
  const accounts = accountsBefore(view, lookup);
  const moves: EventBody[] = [];
  for (const { instruction, ...context } of indexCalls(view).values()) {
    if (instruction.program !== 'token' && instruction.program !== 'token2022') continue;
    const move = applyCall(accounts, instruction, lookup);
    if (move !== undefined && isDirect(context)) moves.push(...toEvents(move, instruction));
  }
  return moves;
}

const isDirect = ({ isInVault, isInFarms }: Omit<CallContext, 'instruction'>): boolean =>
  !isInVault && !isInFarms;

function accountsBefore(view: TransactionView, lookup: OwnerLookup): ShareAccounts {
  const accounts: ShareAccounts = new Map();
  const afterwards = view.postTokenBalances.map((balance) => ({ ...balance, amount: 0n }));
  for (const { account, mint, owner, amount } of [...view.preTokenBalances, ...afterwards]) {
    const vault = lookup.vaultOfShareMint(mint);
    if (vault !== undefined && !accounts.has(account))
      accounts.set(account, { vault, owner, amount });
  }
  return accounts;
}

/** Applies the call to the accounts. Returns the moved shares, if any. */
function applyCall(
  accounts: ShareAccounts,
  instruction: InstructionView,
  lookup: OwnerLookup,
): Move | undefined {
  const call = toCall(instruction);
  const opened = findInitializedAccount(call);
  if (opened !== undefined) {
    const vault = lookup.vaultOfShareMint(opened.mint);
    if (vault === undefined) accounts.delete(opened.account);
    else accounts.set(opened.account, { vault, owner: opened.owner, amount: 0n });
    return undefined;
  }
  const ownerChange = findOwnerChange(call);
  if (ownerChange !== undefined) return changeOwner(accounts, ownerChange);
  const movement = tokenMovementOf(call);
  return movement && applyMovement(accounts, movement);
}

function changeOwner(
  accounts: ShareAccounts,
  { account, owner }: { readonly account: Address; readonly owner: Address },
): Move | undefined {
  const from = accounts.get(account);
  if (from === undefined) return undefined;
  const to = { ...from, owner };
  accounts.set(account, to);
  return { from, to, sent: from.amount, received: from.amount };
}

function applyMovement(accounts: ShareAccounts, movement: TokenMovement): Move | undefined {
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

/** Empty if the shares stay with their owner. */
function toEvents({ from, to, sent, received }: Move, { path }: InstructionView): EventBody[] {
  if (sent === 0n) return [];
  const body = emptyVaultEvent({ path, vault: from.vault });
  if (to === undefined) {
    return [{ ...body, kind: 'shareBurn', wallet: from.owner, sharesAmount: sent }];
  }
  if (from.owner === to.owner && from.owner !== undefined) return [];
  const [sender, receiver] = [from.owner, to.owner];
  return [
    {
      ...body,
      kind: 'shareTransferOut',
      wallet: sender,
      otherWallet: receiver,
      sharesAmount: sent,
    },
    {
      ...body,
      kind: 'shareTransferIn',
      eventIndex: 1,
      wallet: receiver,
      otherWallet: sender,
      sharesAmount: received,
    },
  ];
}
