import type { Address } from '#core/base/encoding/address.ts';
import { reserve } from '#core/protocol/klend/layout/reserve.ts';
import { vaultState } from '#core/protocol/kvault/layout/vault-state.ts';
import { KVAULT_PROGRAM } from '#core/protocol/kvault/program.ts';
import { tokenAccount } from '#core/protocol/spl/layout/token-account.ts';
import type { AccountLedger, LedgerTime } from './account-ledger.ts';
import {
  isInstructionNamed,
  type LedgerTransaction,
  parseTransfer,
  parseTransfers,
  type TopLevelCall,
} from './ledger-transaction.ts';

/** A trade or transfer of vault shares, in base units. */
export type Trade = LedgerTime & {
  readonly signature: string;
  readonly wallet: Address;
  readonly vault: Address;
  readonly instruction: string;
  readonly move: 'buy' | 'sell' | undefined;
  readonly shares: bigint;
  /** Tokens paid or received; undefined for a transfer of shares, and for shares that were paid out in cTokens. */
  readonly tokens: bigint | undefined;
  /** The part that bought no shares. */
  readonly crank: bigint;
};

/** All trades in ledger order. */
export const parseTrades = (ledger: AccountLedger): readonly Trade[] =>
  ledger.transactions.flatMap((transaction) =>
    transaction.hasFailed
      ? []
      : transaction.calls.flatMap((call) => [
          ...vaultTrades(ledger, transaction, call),
          ...handedOver(ledger, transaction, call),
        ]),
  );

/** The program's event: a self-call with these bytes, the discriminator, and numbers (EVENTS 2). */
const REPORT = 'e445a52e51cb9a1d';
const DEPOSIT_RESULT = '7b40dc0458677fcc';
const WITHDRAW_RESULT = '14bf0fe7c4316526';
const REDEEM_IN_KIND_RESULT = '1bbf5aa36a7e9a6c';

function reportOf({ inner }: TopLevelCall, kind: string): readonly bigint[] {
  const found = inner.find(
    ({ program, data }) =>
      program === KVAULT_PROGRAM && data.subarray(0, 16).toString('hex') === `${REPORT}${kind}`,
  );
  if (found === undefined) throw new Error('the vault program emitted no event');
  const numbers = found.data.subarray(16);
  return Array.from({ length: numbers.length / 8 }, (_, i) => numbers.readBigUInt64LE(8 * i));
}

const DEPOSITS = ['deposit', 'deposit_with_min_shares_out'];

function vaultTrades(
  ledger: AccountLedger,
  transaction: LedgerTransaction,
  call: TopLevelCall,
): Trade[] {
  if (call.program !== KVAULT_PROGRAM) return [];
  const { signature, slot, unix } = transaction;
  const wallet = call.accounts[0];
  const vault = call.accounts.find((address) => ledger.find(vaultState, address, { slot }));
  if (wallet === undefined || vault === undefined) return [];
  const context = { signature, slot, unix, wallet, vault };
  if (DEPOSITS.some((name) => isInstructionNamed(call, name))) {
    const [shares = 0n, paid = 0n, crank = 0n] = reportOf(call, DEPOSIT_RESULT);
    return [
      { ...context, instruction: 'deposit', move: 'buy', shares, tokens: paid + crank, crank },
    ];
  }
  const out = isInstructionNamed(call, 'withdraw')
    ? 'withdraw'
    : isInstructionNamed(call, 'withdraw_from_available') && 'withdrawAvailable';
  if (out !== false) {
    const [shares = 0n, idle = 0n, , lent = 0n] = reportOf(call, WITHDRAW_RESULT);
    return [{ ...context, instruction: out, move: 'sell', shares, tokens: idle + lent, crank: 0n }];
  }
  if (isInstructionNamed(call, 'redeem_in_kind')) {
    const [shares = 0n] = reportOf(call, REDEEM_IN_KIND_RESULT);
    const sold = { shares, tokens: undefined, crank: 0n };
    return [{ ...context, ...sold, instruction: 'redeemInKind', move: 'sell' }];
  }
  return isInstructionNamed(call, 'invest') ? invested(ledger, context, call) : [];
}

type TradeContext = Pick<Trade, 'signature' | 'slot' | 'unix' | 'wallet' | 'vault'>;

/** Tokens moved between the vault and a pool. */
function invested(
  ledger: AccountLedger,
  context: TradeContext,
  { accounts, inner }: TopLevelCall,
): Trade[] {
  const { tokenVault } = ledger.get(vaultState, context.vault, context);
  const pools = accounts.flatMap(
    (address) => ledger.find(reserve, address, context)?.liquidity.supplyVault ?? [],
  );
  return parseTransfers(inner)
    .filter(
      ({ source, destination }) =>
        (source === tokenVault && pools.includes(destination)) ||
        (destination === tokenVault && pools.includes(source)),
    )
    .map(({ amount: tokens }) => {
      return { ...context, instruction: 'invest', move: undefined, shares: 0n, tokens, crank: 0n };
    });
}

/** Transfers of shares between wallets. */
function handedOver(
  ledger: AccountLedger,
  { signature, slot, unix, owners }: LedgerTransaction,
  call: TopLevelCall,
): Trade[] {
  const moved = parseTransfer(call);
  const mint = moved && ledger.find(tokenAccount, moved.destination, { slot })?.mint;
  const vault = ledger.all(vaultState, { slot }).find(({ fields }) => fields.sharesMint === mint);
  if (moved === undefined || vault === undefined) return [];
  const [from, to] = [owners.get(moved.source), owners.get(moved.destination)];
  if (from === undefined || to === undefined || from === to) return [];
  const both = { signature, slot, unix, vault: vault.address, crank: 0n } as const;
  const shares = { shares: moved.amount, tokens: undefined };
  return [
    { ...both, ...shares, wallet: from, instruction: 'transferOut', move: 'sell' },
    { ...both, ...shares, wallet: to, instruction: 'transferIn', move: 'buy' },
  ];
}
