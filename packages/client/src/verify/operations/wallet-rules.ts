import { tokenAccountOf } from '../bytes/derived-addresses.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../bytes/programs.ts';
import type { Call } from '../instructions/decode-calls.ts';
import {
  type AccountRules,
  always,
  anyOf,
  checkAccounts,
  exactly,
  type WalletContext,
} from './account-rules.ts';

/** The tokens whose accounts a transaction may open and close. */
export type TokenContext = WalletContext & {
  /** Token programs by mint. */
  readonly openedTokens: ReadonlyMap<string, string>;
  /** Token accounts that may be closed. */
  readonly closedAccounts: readonly string[];
  /** Lamports that may be wrapped; undefined for any number, which the end of the transaction returns. */
  readonly wrapped: { readonly min: bigint; readonly max: bigint | undefined };
};

export const wrappedSolAccount = (wallet: string): string =>
  tokenAccountOf(wallet, WRAPPED_SOL_MINT, TOKEN_PROGRAM);

const theWallet = exactly<TokenContext>('WRONG_WALLET', ({ wallet }) => wallet);

const createRules: AccountRules<TokenContext> = {
  payer: theWallet,
  owner: theWallet,
  mint: anyOf('WRONG_TOKEN_ACCOUNT', ({ openedTokens }) => [...openedTokens.keys()]),
  tokenProgram: exactly('WRONG_ACCOUNT', ({ openedTokens }, { accounts }) =>
    openedTokens.get(accounts['mint'] ?? ''),
  ),
  ata: exactly('WRONG_TOKEN_ACCOUNT', ({ wallet, openedTokens }, { accounts }) => {
    const { mint = '' } = accounts;
    const program = openedTokens.get(mint);
    return program && tokenAccountOf(wallet, mint, program);
  }),
  systemProgram: always(SYSTEM_PROGRAM),
};

const wrapRules: AccountRules<TokenContext> = {
  from: theWallet,
  to: exactly('HIDDEN_TRANSFER', ({ wallet }) => wrappedSolAccount(wallet)),
  account: exactly('WRONG_TOKEN_ACCOUNT', ({ wallet }) => wrappedSolAccount(wallet)),
};

const closeRules: AccountRules<TokenContext> = {
  account: anyOf('WRONG_TOKEN_ACCOUNT', ({ closedAccounts }) => closedAccounts),
  destination: exactly('WRONG_TOKEN_ACCOUNT', ({ wallet }) => wallet),
  owner: theWallet,
};

/** Checks the instructions of Solana's own programs. */
export function checkWalletCalls(calls: readonly Call[], context: TokenContext): void {
  const { findings, wrapped } = context;
  for (const call of calls) {
    const rules = rulesOf(call.key);
    if (rules === undefined) continue;
    checkAccounts(call, rules, context);
    if (call.spec.program === 'token' && call.program !== TOKEN_PROGRAM) {
      findings.add('WRONG_ACCOUNT', `${call.spec.name} is of another token program.`, call);
    }
    const { lamports } = call.args;
    if (lamports === undefined || call.key !== 'system transfer') continue;
    if (lamports < wrapped.min || (wrapped.max !== undefined && lamports > wrapped.max)) {
      const message = `${lamports} lamports are wrapped instead of ${wrappedText(wrapped)}.`;
      findings.add('WRONG_AMOUNT', message, call);
    }
  }
}

const wrappedText = ({ min, max }: TokenContext['wrapped']): string =>
  min === max ? `${min}` : `${min} to ${max ?? 'any number'}`;

function rulesOf(key: string): AccountRules<TokenContext> | undefined {
  switch (key) {
    case 'associatedToken createIdempotent':
      return createRules;
    case 'system transfer':
    case 'token syncNative':
      return wrapRules;
    case 'token closeAccount':
      return closeRules;
    default:
      return undefined;
  }
}
