import type { TransactionOutcome } from '@tidegate/client';
import { shortenAddress } from '../../format/address.ts';
import { solOf } from '../../format/lamports.ts';

/** A balance that a transaction changed, in whole tokens. */
export type BalanceRow = {
  readonly key: string;
  /** Who has it; of SOL the account itself. */
  readonly holder: string;
  readonly isWallet: boolean;
  readonly unit: string;
  /** Undefined if the node does not return it exactly. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly change: string | undefined;
};

/** What the fee payer has first, tokens before SOL. Undefined if the node returns no balances. */
export function balanceRows(outcome: TransactionOutcome): readonly BalanceRow[] | undefined {
  const { tokenChanges, solChanges, feePayer } = outcome;
  if (tokenChanges === null && solChanges === null) return undefined;
  const rows = [...tokenRows(tokenChanges ?? []), ...solRows(solChanges ?? [])];
  const isOfPayer = ({ holder }: BalanceRow): boolean => holder === feePayer;
  return [...rows.filter(isOfPayer), ...rows.filter((row) => !isOfPayer(row))];
}

const tokenRows = (changes: NonNullable<TransactionOutcome['tokenChanges']>): BalanceRow[] =>
  changes.map(({ owner, accounts, mint, symbol, uiBefore, uiAfter, uiChange }) => ({
    key: `${owner ?? accounts[0]} ${mint}`,
    holder: owner ?? accounts[0] ?? '',
    isWallet: owner !== null,
    unit: symbol ?? shortenAddress(mint),
    before: uiBefore,
    after: uiAfter,
    change: uiChange,
  }));

const solRows = (changes: NonNullable<TransactionOutcome['solChanges']>): BalanceRow[] =>
  changes.map(({ account, tokenOwner, beforeLamports, afterLamports, changeLamports }) => ({
    key: `${account} SOL`,
    holder: account,
    isWallet: tokenOwner === null,
    unit: 'SOL',
    before: toSol(beforeLamports),
    after: toSol(afterLamports),
    change: toSol(changeLamports),
  }));

const toSol = (lamports: string | null): string | undefined =>
  lamports === null ? undefined : solOf(lamports);
