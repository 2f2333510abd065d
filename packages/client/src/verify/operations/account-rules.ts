import type { Call } from '../instructions/decode-calls.ts';
import type { ReasonCode } from '../reasons.ts';
import type { Findings } from './findings.ts';

/** The accounts that a place may have; undefined in the list means that the optional account may be absent. */
type Allowed = {
  readonly code: ReasonCode;
  /** Without a list the program checks the account itself: a wrong one makes the transaction fail. */
  readonly accounts?: readonly (string | undefined)[];
};

export type AccountRule<Context> = (context: Context, call: Call) => Allowed;

export type AccountRules<Context> = Readonly<Record<string, AccountRule<Context>>>;

/** Rules are written for a context that at least knows which accounts are the wallet's. */
export type WalletContext = {
  readonly wallet: string;
  readonly findings: Findings;
  /** Accounts of the wallet. They are allowed only where a rule names them. */
  readonly ownAccounts: ReadonlySet<string>;
};

export const exactly =
  <Context>(
    code: ReasonCode,
    account: (context: Context, call: Call) => string | undefined,
  ): AccountRule<Context> =>
  (context, call) => ({ code, accounts: [account(context, call)] });

export const always = <Context>(account: string): AccountRule<Context> =>
  exactly('WRONG_ACCOUNT', () => account);

export const anyOf =
  <Context>(
    code: ReasonCode,
    accounts: (context: Context, call: Call) => readonly string[],
  ): AccountRule<Context> =>
  (context, call) => ({ code, accounts: accounts(context, call) });

/** The program compares the account with its own data. */
export const checkedByProgram =
  <Context>(): AccountRule<Context> =>
  () => ({
    code: 'WRONG_ACCOUNT',
  });

type ChainRule<Context> = {
  /** Undefined if not known, null if the account has none. */
  readonly value: (context: Context, call: Call) => string | null | undefined;
  /** What it can be if it is not known. */
  readonly derived?: (context: Context, call: Call) => readonly string[];
  readonly code?: ReasonCode;
};

/** An account that is stored on the chain: its value if given, otherwise a derived one, otherwise the program checks. */
export const storedOnChain =
  <Context>({ value, derived, code = 'WRONG_ACCOUNT' }: ChainRule<Context>): AccountRule<Context> =>
  (context, call) => {
    const known = value(context, call);
    if (known !== undefined) return { code, accounts: [known ?? undefined] };
    return derived === undefined ? { code } : { code, accounts: derived(context, call) };
  };

/** Reports each account of an instruction that its rule does not allow. */
export function checkAccounts<Context extends WalletContext>(
  call: Call,
  rules: AccountRules<Context>,
  context: Context,
): void {
  for (const { name, isOptional } of call.spec.accounts) {
    const address = call.accounts[name];
    const allowed: Allowed = rules[name]?.(context, call) ?? {
      code: 'WRONG_ACCOUNT',
      accounts: [],
    };
    if (isAllowed(allowed, address, { isOptional, own: context.ownAccounts })) continue;
    const place = `${name} of ${call.spec.name}`;
    const expected = describeExpected(allowed);
    context.findings.add(allowed.code, `${place} is ${address ?? 'absent'}${expected}.`, call);
  }
}

function isAllowed(
  { accounts }: Allowed,
  address: string | undefined,
  { isOptional, own }: { readonly isOptional: boolean; readonly own: ReadonlySet<string> },
): boolean {
  if (accounts !== undefined) return accounts.includes(address);
  return address === undefined ? isOptional : !own.has(address);
}

function describeExpected({ accounts }: Allowed): string {
  if (accounts === undefined) return ', an account of the wallet';
  const names = accounts.map((address) => address ?? 'absent');
  return names.length === 0 ? '' : ` instead of ${names.join(' or ')}`;
}
