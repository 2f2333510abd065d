import { ZERO_ADDRESS } from '#core/base/encoding/address.ts';
import { u64 } from '#core/base/encoding/layout.ts';
import type { RawAccount } from '#core/base/solana/account.ts';
import type { ClusterAccount } from '#core/base/solana/cluster-account.ts';
import { userState } from '#core/protocol/farms/layout/user-state.ts';
import { obligation, obligationCollateral } from '#core/protocol/klend/layout/obligation.ts';
import type { Bank } from '#localnet/runtime/bank.ts';

/** What is written into a copy of a template. `change`: grows when the position changes. */
type AccountVersion = {
  readonly number: number;
  readonly owner: Uint8Array;
  /** For a stake that belongs to a loan. */
  readonly loan: Uint8Array;
  readonly slot: bigint;
  readonly round: number;
  readonly change: number;
};

/** An account of the cluster that generated ones are copies of. */
export type AccountTemplate = {
  readonly account: ClusterAccount;
  /** Turns a copy of the data into a version of a generated account. */
  write(data: Uint8Array, version: AccountVersion): void;
};

/** Copies of loans with a deposit. A refresh changes their last update, a change of the position also an amount. */
export function loanTemplates(bank: Bank): readonly AccountTemplate[] {
  const { offsets } = obligation;
  const inDeposit = obligationCollateral.offsets.depositedAmount;
  return accountsLike(bank, obligation.matches).flatMap((account) => {
    const { deposits } = obligation.view(account);
    const index = Array.from(deposits).findIndex((each) => each.depositReserve !== ZERO_ADDRESS);
    const base = deposits.at(index)?.depositedAmount ?? 0n;
    if (index === -1 || base === 0n) return [];
    const amountAt = offsets.deposits + index * obligationCollateral.size + inDeposit;
    const write: AccountTemplate['write'] = (data, { number, owner, slot, change }) => {
      const view = new DataView(data.buffer, data.byteOffset, data.length);
      data.set(owner, offsets.owner);
      u64.encode(view, offsets.lastUpdate, slot);
      u64.encode(view, amountAt, base + BigInt(number) + BigInt(change) * 1_000_000n);
    };
    return [{ account, write }];
  });
}

/** Copies of stakes. Each write adds to the rewards that were not claimed; the stake stays. */
export function stakeTemplates(bank: Bank): readonly AccountTemplate[] {
  const { offsets } = userState;
  return accountsLike(bank, userState.matches).flatMap((account) => {
    const {
      activeStakeScaled,
      owner: wallet,
      delegatee,
      rewardsIssuedUnclaimed,
    } = userState.view(account);
    if (activeStakeScaled === 0n) return [];
    const isOfWallet = wallet === delegatee;
    const unclaimed = rewardsIssuedUnclaimed.at(0) ?? 0n;
    const write: AccountTemplate['write'] = (data, { number, owner, loan, round }) => {
      const view = new DataView(data.buffer, data.byteOffset, data.length);
      data.set(owner, offsets.owner);
      data.set(isOfWallet ? owner : loan, offsets.delegatee);
      const rewards = unclaimed + BigInt(number) + BigInt(round) * 1_000n;
      u64.encode(view, offsets.rewardsIssuedUnclaimed, rewards);
    };
    return [{ account, write }];
  });
}

const accountsLike = (bank: Bank, matches: (account: RawAccount) => boolean): ClusterAccount[] =>
  Array.from(bank.accounts(), ({ account }) => account).filter(matches);
