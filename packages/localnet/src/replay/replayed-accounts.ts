import { type Address, type ClusterAccount, SIGN, toLamports } from '@tidegate/core/base';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '@tidegate/core/protocol/spl';
import { tokenAccount } from '@tidegate/core/protocol/spl/layout';
import { TransactionAccounts } from '../runtime/transaction-accounts.ts';
import type { CallRecorder } from './call-recorder.ts';
import { describedMint, describedTokenAccount } from './described-accounts.ts';
import { NotReplayable } from './not-replayable.ts';
import type { ReadableTransaction } from './readable-transaction.ts';
import type { SlotState } from './slot-state.ts';

type Resolved = {
  readonly account: ClusterAccount | undefined;
  readonly assumption: 'mint' | 'wallet' | undefined;
};

/** The accounts that a transaction starts with: those of the slot, others as its balances describe them. */
class StartingAccounts {
  readonly #readable: ReadableTransaction;
  readonly #state: SlotState;
  readonly #recorder: CallRecorder;
  readonly #resolved = new Map<Address, Resolved>();

  constructor(readable: ReadableTransaction, state: SlotState, recorder: CallRecorder) {
    this.#readable = readable;
    this.#state = state;
    this.#recorder = recorder;
  }

  account(address: Address): ClusterAccount | undefined {
    const resolved = this.#resolved.get(address) ?? this.#resolve(address);
    this.#resolved.set(address, resolved);
    const { program } = this.#recorder;
    const isMoney = program === undefined || MONEY_PROGRAMS.includes(program);
    if (resolved.assumption === 'mint') this.#recorder.assumedMints.add(address);
    else if (resolved.assumption === 'wallet' && !isMoney) this.#recorder.assumed.add(address);
    return resolved.account;
  }

  #resolve(address: Address): Resolved {
    const cause = this.#state.unknownSince(address);
    if (cause !== undefined) {
      const detail = `${address} is not known after ${cause.signature}`;
      throw new NotReplayable('earlierTransaction', detail);
    }
    const lamports = this.#readable.lamportsBefore.get(address);
    const seen = this.#state.find(address);
    if (seen !== undefined) {
      if (lamports !== 0n) return known(this.#withBalances(seen, address));
      throw new NotReplayable('stateBeforeUnknown', `${address} was closed before the transaction`);
    }
    if (lamports === 0n) return known(undefined);
    return this.#describe(address, lamports);
  }

  /** The transaction tells the balances that it starts with; what else an account has is as it was seen. */
  #withBalances(seen: ClusterAccount, address: Address): ClusterAccount {
    const { lamportsBefore, tokensBefore } = this.#readable;
    const lamports = lamportsBefore.get(address) ?? seen.lamports;
    const balance = tokensBefore.get(address);
    if (balance === undefined || !tokenAccount.matches(seen)) return { ...seen, lamports };
    const { amount, mint, owner } = tokenAccount.view(seen);
    if (mint !== balance.mint || owner !== balance.owner) {
      return describedTokenAccount(balance, lamports) ?? { ...seen, lamports };
    }
    if (amount === balance.amount) return { ...seen, lamports };
    const data = seen.data.slice();
    const target = new DataView(data.buffer);
    target.setBigUint64(tokenAccount.offsets.amount, toLamports(balance.amount), true);
    return { ...seen, lamports, data };
  }

  #describe(address: Address, lamports: bigint | undefined): Resolved {
    const { tokensBefore, roles } = this.#readable;
    const balance = tokensBefore.get(address);
    const token = balance && describedTokenAccount(balance, lamports ?? 0n);
    if (token !== undefined) return known(token);
    const mint = describedMint(address, this.#readable, this.#state);
    if (mint !== undefined) return mint;
    const isSigner = ((roles.get(address) ?? 0) & SIGN) !== 0;
    const account = { owner: SYSTEM_PROGRAM, lamports: lamports ?? 0n, data: new Uint8Array() };
    return { account, assumption: isSigner ? undefined : 'wallet' };
  }
}

const known = (account: ClusterAccount | undefined): Resolved => ({
  account,
  assumption: undefined,
});

/** They read nothing of an account but its lamports. */
const MONEY_PROGRAMS: readonly Address[] = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM];

/** Accounts during a replayed transaction. */
export class ReplayedAccounts extends TransactionAccounts {
  readonly #recorder: CallRecorder;

  constructor(readable: ReadableTransaction, state: SlotState, recorder: CallRecorder) {
    super(new StartingAccounts(readable, state, recorder));
    this.#recorder = recorder;
  }

  override set(address: Address, account: ClusterAccount): void {
    this.#recorder.wrote(address);
    super.set(address, account);
  }
}
