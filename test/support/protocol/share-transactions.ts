import type { Address } from '#core/base/encoding/address.ts';
import { bytesFromHex, concatBytes } from '#core/base/encoding/bytes.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import type { Call } from '#core/protocol/spl/transaction/call-tree.ts';
import { extractHistoryEvents } from '#core/views/transactions/events/extract-history-events.ts';
import type { OwnerLookup } from '#core/views/transactions/events/history-event.ts';
import type { TransactionView } from '#core/views/transactions/transaction-view.ts';
import type { ExampleTokenBalance } from './example-transaction.ts';
import { namedAddress, transferCall } from './published-calls.ts';

export const shareOwnerLookup: OwnerLookup = {
  ownerOfObligation: () => undefined,
  ownerOfUserState: () => undefined,
  vaultOfShareMint: (mint) => (mint === namedAddress('shares') ? namedAddress('vault') : undefined),
  vaultOfFarm: () => undefined,
  mintOfReserve: () => undefined,
};

export const shareBalance = (
  owner: string,
  amount: bigint,
  account = `shares of ${owner}`,
): ExampleTokenBalance => ({
  account,
  mint: 'shares',
  owner,
  amount,
});

export const sendShares = (from: string, to: string, amount: bigint): Call =>
  transferCall(`shares of ${from}`, `shares of ${to}`, amount);

export const tokenCall = (
  discriminator: string,
  names: readonly string[],
  data: readonly Uint8Array[],
): Call => ({
  program: TOKEN_PROGRAM,
  accounts: names.map(namedAddress),
  data: concatBytes([bytesFromHex(discriminator), ...data]),
  path: [],
  children: [],
});

export const calledBy = (program: Address, ...children: Call[]): Call => ({
  program,
  accounts: [],
  data: Uint8Array.of(9, 9, 9),
  path: [],
  children,
});

/** In the form `path/eventIndex kind wallet amount`. */
export function summarizeShareEvents(view: TransactionView): string[] {
  const names = new Map(['anna', 'ben', 'cara'].map((name) => [namedAddress(name), name]));
  return extractHistoryEvents(view, shareOwnerLookup).map((event) => {
    if (event.area !== 'vault') return event.area;
    const { path, eventIndex, kind, wallet, sharesAmount } = event;
    const who = wallet && (names.get(wallet) ?? 'another');
    return `${path.join('.')}/${eventIndex} ${kind} ${who} ${sharesAmount}`;
  });
}
