import type { Address } from '#core/base/encoding/address.ts';
import {
  type LedgerCall,
  parseTransfers,
  type TopLevelCall,
} from '../ledger/ledger-transaction.ts';

/** A call of a program, the token calls in it, and the owners of the token accounts. */
export type ActionContext = {
  readonly call: LedgerCall;
  readonly inner: TopLevelCall['inner'];
  readonly owners: ReadonlyMap<Address, Address>;
};

/** Numbers of token calls, and which of their accounts has the tokens. */
const MINT_TO = { numbers: [7, 14], account: 1 };
const BURN = { numbers: [8, 15], account: 0 };

/** What a wallet, the first account of the call, paid and received in it. */
function movedTokens({ call, inner, owners }: ActionContext) {
  const [wallet] = call.accounts;
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n);
  const transfers = parseTransfers(inner);
  // an account without balances was opened and closed by the transaction, for wrapped SOL of the wallet
  const isOwn = (account: Address) => (owners.get(account) ?? wallet) === wallet;
  return {
    paid: sum(transfers.filter(({ source }) => isOwn(source)).map(({ amount }) => amount)),
    received: sum(
      transfers.filter(({ destination }) => isOwn(destination)).map(({ amount }) => amount),
    ),
  };
}

/** The amounts that were minted to the wallet, or burned. */
function changedSupply(
  { call, inner, owners }: ActionContext,
  { numbers, account }: typeof MINT_TO,
): string {
  const [wallet] = call.accounts;
  const changes = inner.filter(({ program, accounts, data }) => {
    const holder = accounts[account];
    const isOwn = holder !== undefined && owners.get(holder) === wallet;
    return program.startsWith('Token') && numbers.includes(data[0] ?? -1) && isOwn;
  });
  return changes.map(({ data }) => data.readBigUInt64LE(1)).join('+');
}

const paid = (context: ActionContext): string => `${movedTokens(context).paid}`;
const received = (context: ActionContext): string => `${movedTokens(context).received}`;

/** An argument of 8 or 16 bytes, which follows the discriminator. */
const argument =
  (bytes: 8 | 16) =>
  ({ call: { data } }: ActionContext): string => {
    const low = data.readBigUInt64LE(8);
    return `${bytes === 8 ? low : low + (data.readBigUInt64LE(16) << 64n)}`;
  };

/** The amounts of each action, as its token movements or arguments tell them. */
export const amountsOf: Readonly<Record<string, (context: ActionContext) => string>> = {
  'open loan': () => '',
  lend: paid,
  'take out': received,
  borrow: received,
  repay: paid,
  'flash borrow': received,
  'flash repay': paid,
  'buy shares': (context) => `${changedSupply(context, MINT_TO)} for ${paid(context)}`,
  'sell shares': (context) => `${changedSupply(context, BURN)} for ${received(context)}`,
  stake: paid,
  unstake: argument(16),
  'withdraw stake': received,
  harvest: received,
  'set stake': argument(8),
};
