import type { UserFarmTx, UserLendTxsAllMarketsV3, VaultTransaction } from '@tidegate/client';

/** Something that the wallet did, or that happened to one of its loans. */
export type Activity = {
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly action: string;
  readonly amount: string;
  readonly mint: string;
  /** Of the token, if the response has it. */
  readonly symbol: string | undefined;
  /** In USD at that time; undefined if not known. */
  readonly value: string | undefined;
  readonly kind: 'loan' | 'vault' | 'reserve' | 'farm';
  /** Address of the loan, vault, reserve or farm. */
  readonly account: string;
  readonly signature: string;
};

export const lendingActivity = (markets: UserLendTxsAllMarketsV3): Activity[] =>
  markets.flatMap(({ obligations, withdrawQueueTransactions }) => [
    ...Object.entries(obligations).flatMap(([loan, transactions]) =>
      transactions.map((each, index) => ({
        key: `${each.transactionSignature} ${loan} ${index}`,
        time: each.timestamp,
        action: each.transactionDisplayName,
        amount: each.liquidityTokenAmount,
        mint: each.liquidityTokenMint,
        symbol: each.liquidityToken,
        value: each.liquidityUsdValue,
        kind: 'loan' as const,
        account: loan,
        signature: each.transactionSignature,
      })),
    ),
    ...withdrawQueueTransactions.map((each, index) => ({
      key: `${each.transactionSignature} ${each.withdrawTicket} ${index}`,
      time: each.timestamp,
      action: each.transactionDisplayName,
      amount: each.liquidityTokenAmount,
      mint: each.liquidityTokenMint,
      symbol: each.liquidityToken,
      value: each.liquidityUsdValue,
      kind: 'reserve' as const,
      account: each.reserve,
      signature: each.transactionSignature,
    })),
  ]);

const vaultActions: Readonly<Record<string, string>> = {
  deposit: 'Vault deposit',
  buy: 'Vault deposit',
  withdraw: 'Vault withdrawal',
  withdrawAvailable: 'Vault withdrawal',
  sell: 'Vault withdrawal',
};

export const vaultActivity = (transactions: readonly VaultTransaction[]): Activity[] =>
  transactions.map((each, index) => ({
    key: `${each.transaction} ${each.kvault} ${index}`,
    time: Date.parse(each.createdOn),
    action: vaultActions[each.instruction] ?? each.instruction,
    amount: each.tokenAmount,
    mint: each.tokenMint,
    symbol: undefined,
    value: each.usdValue,
    kind: 'vault',
    account: each.kvault,
    signature: each.transaction,
  }));

/** The program follows the size of a loan with this instruction, in the transaction that changes the loan. */
const FOLLOWS_LOAN = 'setStakeDelegated';

export const farmActivity = (transactions: readonly UserFarmTx[]): Activity[] =>
  transactions
    .filter(({ instruction }) => instruction !== FOLLOWS_LOAN)
    .map((each, index) => ({
      key: `${each.transactionSignature} ${each.farm} ${index}`,
      time: Date.parse(each.createdOn),
      action: wordsOf(each.instruction),
      amount: each.tokenAmount,
      mint: each.token,
      symbol: undefined,
      value: each.usdAmount,
      kind: 'farm',
      account: each.farm,
      signature: each.transactionSignature,
    }));

/** `harvestReward` as `Harvest reward`. */
function wordsOf(instruction: string): string {
  const words = instruction.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Newest first; lists that cannot be read are undefined. */
export const mergeActivity = (lists: readonly (readonly Activity[] | undefined)[]): Activity[] =>
  lists.flatMap((list) => list ?? []).sort((a, b) => b.time - a.time);
