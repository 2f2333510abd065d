import { type Address, toAddress } from '#core/base/encoding/address.ts';
import type {
  FarmHistoryEvent,
  HistoryEvent,
  LendingHistoryEvent,
  VaultHistoryEvent,
} from '#core/views/transactions/events/history-event.ts';
import type { TransactionView } from '#core/views/transactions/transaction-view.ts';
import type { AccountOwnerLookup } from './account-owner-index.ts';

/** Excluded, because it also moves as lamports of a wallet. */
const WRAPPED_SOL = toAddress('So11111111111111111111111111111111111111112');

/** Non-zero sums by key. */
export class AmountTotals {
  readonly #sums = new Map<string, bigint>();

  add(key: string, amount: bigint | undefined): void {
    this.#sums.set(key, (this.#sums.get(key) ?? 0n) + (amount ?? 0n));
  }

  entries(): [string, bigint][] {
    return [...this.#sums].filter(([, sum]) => sum !== 0n).toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
}

type Cash = readonly [wallet: Address | undefined, mint: Address | undefined, bigint | undefined];

/** Balance changes of wallets caused by an event. */
function cashOf(event: HistoryEvent, ownerLookup: AccountOwnerLookup): Cash[] {
  switch (event.area) {
    case 'lending':
      return lendingCash(event, ownerLookup);
    case 'vault':
      return vaultCash(event, ownerLookup);
    case 'farm':
      return farmCash(event);
  }
}

const minus = (amount: bigint | undefined): bigint => -(amount ?? 0n);

function lendingCash(event: LendingHistoryEvent, ownerLookup: AccountOwnerLookup): Cash[] {
  const { wallet, mint, liquidityAmount: liquidity, collateralAmount: collateral } = event;
  const cTokens = event.reserve && ownerLookup.collateralMintOf(event.reserve);
  switch (event.kind) {
    case 'deposit':
      return [[wallet, mint, minus(liquidity)]];
    case 'withdraw':
    case 'borrow':
    case 'flashBorrow':
    case 'withdrawQueuedLiquidity':
    case 'withdrawReferrerFees':
      return [[wallet, mint, liquidity]];
    case 'topupReserveRewards':
      return [[wallet, mint, minus(liquidity)]];
    case 'repay':
      return [[event.payer, mint, minus(liquidity)]];
    case 'flashRepay':
      return [[wallet, mint, minus(liquidity) - (event.feeAmount ?? 0n)]];
    case 'depositReserveLiquidity':
      return [
        [wallet, mint, minus(liquidity)],
        [wallet, cTokens, collateral],
      ];
    case 'redeemReserveCollateral':
      return [
        [wallet, mint, liquidity],
        [wallet, cTokens, minus(collateral)],
      ];
    case 'depositObligationCollateral':
    case 'enqueueToWithdraw':
      return [[wallet, cTokens, minus(collateral)]];
    case 'withdrawObligationCollateral':
    case 'cancelWithdrawTicket':
    case 'recoverInvalidTicketCollateral':
      return [[wallet, cTokens, collateral]];
    case 'liquidate': {
      const { otherReserve, redeemedAmount, feeAmount } = event;
      const seizedMint = otherReserve && ownerLookup.mintOfReserve(otherReserve);
      const seizedCTokens = otherReserve && ownerLookup.collateralMintOf(otherReserve);
      return [
        [wallet, mint, minus(event.debtAmount)],
        [wallet, seizedMint, (liquidity ?? 0n) - (feeAmount ?? 0n)],
        [wallet, seizedCTokens, (collateral ?? 0n) - (redeemedAmount ?? 0n)],
      ];
    }
    default:
      return [];
  }
}

function vaultCash(event: VaultHistoryEvent, ownerLookup: AccountOwnerLookup): Cash[] {
  const { wallet, tokenAmount, sharesAmount } = event;
  const [tokens, shares] = [
    ownerLookup.tokenMintOf(event.vault),
    ownerLookup.shareMintOf(event.vault),
  ];
  switch (event.kind) {
    case 'deposit':
    case 'buy':
      return [
        [wallet, tokens, minus(tokenAmount)],
        [wallet, shares, sharesAmount],
      ];
    case 'withdraw':
    case 'sell':
    case 'withdrawFromAvailable':
      return [
        [wallet, tokens, tokenAmount],
        [wallet, shares, minus(sharesAmount)],
      ];
    case 'redeemInKind': {
      const cTokens = event.reserve && ownerLookup.collateralMintOf(event.reserve);
      return [
        [wallet, cTokens, event.collateralAmount],
        [wallet, shares, minus(sharesAmount)],
      ];
    }
    case 'investIn':
    case 'investOut':
      return [[wallet, tokens, minus(event.roundingLossAmount)]];
    case 'shareTransferIn':
      return [[wallet, shares, sharesAmount]];
    case 'shareTransferOut':
    case 'shareBurn':
      return [[wallet, shares, minus(sharesAmount)]];
  }
}

function farmCash({ kind, wallet, mint, amount }: FarmHistoryEvent): Cash[] {
  if (kind === 'stake') return [[wallet, mint, minus(amount)]];
  return kind === 'withdrawUnstaked' || kind === 'harvest' ? [[wallet, mint, amount]] : [];
}

/** Balance changes by wallet and mint, without wrapped SOL. */
export function eventCashFlows(
  events: readonly HistoryEvent[],
  ownerLookup: AccountOwnerLookup,
): [string, bigint][] {
  const sums = new AmountTotals();
  for (const event of events) {
    for (const [wallet, mint, amount] of cashOf(event, ownerLookup)) {
      if (mint !== WRAPPED_SOL) sums.add(`${wallet} ${mint}`, amount);
    }
  }
  return sums.entries();
}

/** The same changes, from the token balances of signers and of wallets in the events. */
export function balanceCashFlows(
  view: TransactionView,
  events: readonly HistoryEvent[],
  ownerLookup: AccountOwnerLookup,
): [string, bigint][] {
  const signers = view.accounts.filter(({ isSigner }) => isSigner).map(({ address }) => address);
  const wallets = new Set([...signers, ...events.map(({ wallet }) => wallet)]);
  const sums = new AmountTotals();
  const add = (balances: TransactionView['preTokenBalances'], sign: bigint): void => {
    for (const { owner, mint, amount } of balances) {
      if (!wallets.has(owner) || mint === WRAPPED_SOL) continue;
      sums.add(`${owner} ${mint}`, sign * amount);
    }
  };
  add(view.preTokenBalances, -1n);
  add(view.postTokenBalances, 1n);
  for (const [owner, mint, amount] of plainTransfers(view)) {
    const isCovered = mint === undefined || ownerLookup.vaultOfShareMint(mint) !== undefined;
    if (isCovered || !wallets.has(owner) || mint === WRAPPED_SOL) continue;
    sums.add(`${owner} ${mint}`, minus(amount));
  }
  return sums.entries();
}

/** Account indexes of source and destination, by the first byte of a token instruction. */
const plainMoves: Readonly<Record<number, readonly [number | undefined, number | undefined]>> = {
  3: [0, 1],
  12: [0, 2],
  7: [undefined, 1],
  14: [undefined, 1],
};

/** Balance changes by payments, swaps and mints, which are not events. A failed transaction changes none. */
function plainTransfers(view: TransactionView): Cash[] {
  if (view.failure !== undefined) return [];
  const balances = [...view.preTokenBalances, ...view.postTokenBalances];
  return view.instructions.flatMap(({ program, data, accounts }): Cash[] => {
    const indexes = program === 'token' || program === 'token2022' ? plainMoves[data[0] ?? 0] : [];
    const [source, destination] = (indexes ?? []).map(
      (index) => accounts[index ?? accounts.length],
    );
    if (source === undefined && destination === undefined) return [];
    const amount = new DataView(data.buffer, data.byteOffset).getBigUint64(1, true);
    const from = balances.find(({ account }) => account === source);
    const to = balances.find(({ account }) => account === destination);
    return [
      [from?.owner, from?.mint, -amount],
      [to?.owner, to?.mint, amount],
    ];
  });
}

/** Liquidity changes by reserve, from events. */
export function eventPoolChanges(events: readonly HistoryEvent[]): [string, bigint][] {
  const sums = new AmountTotals();
  for (const event of events) {
    for (const [reserve, amount] of poolOf(event)) if (reserve) sums.add(reserve, amount);
  }
  return sums.entries();
}

type Pooled = readonly [reserve: Address | undefined, bigint | undefined];

function poolOf(event: HistoryEvent): Pooled[] {
  const { reserve } = event.area === 'farm' ? { reserve: undefined } : event;
  if (event.area === 'vault') {
    if (event.kind === 'investIn') return [[reserve, event.tokenAmount]];
    return event.kind === 'investOut' ? [[reserve, minus(event.tokenAmount)]] : [];
  }
  if (event.area === 'farm') return [];
  const { liquidityAmount: liquidity } = event;
  switch (event.kind) {
    case 'deposit':
    case 'repay':
    case 'depositReserveLiquidity':
    case 'flashRepay':
    case 'liquidationRepay':
      return [[reserve, liquidity]];
    case 'withdraw':
    case 'redeemReserveCollateral':
    case 'flashBorrow':
    case 'liquidationWithdraw':
    case 'withdrawQueuedLiquidity':
      return [[reserve, minus(liquidity)]];
    case 'borrow':
      return [[reserve, minus(liquidity) - (event.feeAmount ?? 0n)]];
    default:
      return [];
  }
}

/** Liquidity changes by reserve, from its token accounts. */
export function balancePoolChanges(
  view: TransactionView,
  pools: ReadonlyMap<Address, Address>,
): [string, bigint][] {
  const sums = new AmountTotals();
  const add = (balances: TransactionView['preTokenBalances'], sign: bigint): void => {
    for (const { account, amount } of balances) {
      const reserve = pools.get(account);
      if (reserve !== undefined) sums.add(reserve, sign * amount);
    }
  };
  add(view.preTokenBalances, -1n);
  add(view.postTokenBalances, 1n);
  return sums.entries();
}

/** cToken changes of vaults by reserve, from events. */
export function eventVaultCollateral(events: readonly HistoryEvent[]): [string, bigint][] {
  const sums = new AmountTotals();
  for (const event of events) {
    if (event.area !== 'vault' || event.reserve === undefined) continue;
    const { kind, reserve, collateralAmount } = event;
    sums.add(reserve, kind === 'investIn' ? collateralAmount : minus(collateralAmount));
  }
  return sums.entries();
}
