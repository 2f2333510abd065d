import { type Address, ZERO_ADDRESS } from '../../base/encoding/address.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { FARMS_PROGRAM } from '../../protocol/farms/program.ts';
import { obligation as obligationLayout } from '../../protocol/klend/layout/obligation.ts';
import { associatedTokenAddress } from '../../protocol/spl/associated-token.ts';
import { createAssociatedTokenIdempotent } from '../../protocol/spl/instructions/associated-token.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../protocol/spl/programs.ts';
import { rentExemptLamports } from '../../protocol/spl/rent.ts';
import type { Build, BuildContext, WalletAccount } from '../build.ts';
import type { LoanAddresses } from '../simulation/loan-reports.ts';
import type { SimulationOutcome } from '../simulation/simulation-outcome.ts';
import { isWrappedSol } from '../wallet/token-accounts.ts';
import { existingAccount } from '../wallet/wallet-accounts.ts';
import { withReserves } from './overlaid-state.ts';

/** A simulated transaction or a part of it. */
type SimulatedBuild = {
  readonly build: Build;
  readonly outcome: SimulationOutcome;
  /** The loan that `outcome.loan` is about. */
  readonly loan?: LoanAddresses | undefined;
};

type Accounts = Map<Address, WalletAccount | undefined>;

/**
 * The context as it is after a simulated build, so that the next one can be built and simulated on it: reserves, loan,
 * balances of the wallet, created and closed accounts. Farms, vaults and prices stay as they are. The fee is not deducted.
 */
export function contextAfter(
  { build, outcome, loan }: SimulatedBuild,
  context: BuildContext,
): BuildContext {
  const accounts: Accounts = new Map(context.accounts);
  createAccounts(accounts, build);
  for (const { mint, change } of outcome.tokens) {
    const address = tokenAddressOf(accounts, build.wallet, mint);
    if (address !== undefined) changeTokens(accounts, address, change);
  }
  if (outcome.loan !== undefined && loan !== undefined) {
    const program = context.state.market(loan.market)?.program;
    setLoan(accounts, { ...loan, program }, outcome.loan.after);
  }
  for (const { address } of build.plan.closes) accounts.set(address, undefined);
  changeLamports(accounts, build.wallet, outcome.lamports);
  const state = withReserves(context.state, outcome.loan?.reservesAfter ?? new Map());
  return { ...context, state, accounts };
}

/** The context as if the wallet had more of a token. Creates its account if needed. */
export function withMoreTokens(
  { wallet, mint, tokenProgram, amount }: TokenFunding,
  context: BuildContext,
): BuildContext {
  const accounts: Accounts = new Map(context.accounts);
  const address = associatedTokenAddress(wallet, mint, tokenProgram);
  if (existingAccount(address, context) === undefined) {
    accounts.set(address, emptyTokenAccount({ wallet, mint, tokenProgram }));
  }
  changeTokens(accounts, address, amount);
  return { ...context, accounts };
}

type TokenFunding = {
  readonly wallet: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
};

/** The context after the wallet's SOL has changed. */
export function withLamports(wallet: Address, change: bigint, context: BuildContext): BuildContext {
  const accounts: Accounts = new Map(context.accounts);
  changeLamports(accounts, wallet, change);
  return { ...context, accounts };
}

function changeLamports(accounts: Accounts, wallet: Address, change: bigint): void {
  const account = accounts.get(wallet) ?? {
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(0),
    lamports: 0n,
  };
  accounts.set(wallet, { ...account, lamports: account.lamports + change });
}

/** Token accounts are empty. Of other accounts only the existence matters to later builds. */
function createAccounts(accounts: Accounts, { wallet, plan, instructions }: Build): void {
  const tokens = new Map(
    instructions.flatMap(({ programAddress, accounts: metas, data }) => {
      if (programAddress !== ASSOCIATED_TOKEN_PROGRAM) return [];
      const call = { accounts: metas.map(({ address }) => address), data };
      const { ata, mint, tokenProgram } = createAssociatedTokenIdempotent.decode(
        ASSOCIATED_TOKEN_PROGRAM,
        call,
      ).accounts;
      return [[ata, { wallet, mint, tokenProgram }] as const];
    }),
  );
  for (const { address, rentLamports } of plan.creates) {
    const token = tokens.get(address);
    const other = { owner: FARMS_PROGRAM, data: new Uint8Array(0), lamports: rentLamports };
    accounts.set(address, token === undefined ? other : emptyTokenAccount(token));
  }
}

function emptyTokenAccount({
  wallet,
  mint,
  tokenProgram,
}: Omit<TokenFunding, 'amount'>): WalletAccount {
  const isNative = isWrappedSol({ mint });
  const rent = rentExemptLamports(tokenAccount.size);
  const data = tokenAccount.encode({
    mint,
    owner: wallet,
    amount: toLamports(0n),
    delegateTag: 0,
    delegate: ZERO_ADDRESS,
    state: 1,
    isNativeTag: isNative ? 1 : 0,
    isNative: toLamports(isNative ? rent : 0n),
    delegatedAmount: toLamports(0n),
    closeAuthorityTag: 0,
    closeAuthority: ZERO_ADDRESS,
    extensions: undefined,
  });
  return { owner: tokenProgram, data, lamports: rent };
}

/** The wallet's associated account of a mint among the accounts that were read or created. */
const tokenAddressOf = (accounts: Accounts, wallet: Address, mint: Address): Address | undefined =>
  [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]
    .map((program) => associatedTokenAddress(wallet, mint, program))
    .find((address) => accounts.get(address) !== undefined);

function changeTokens(accounts: Accounts, address: Address, change: bigint): void {
  const account = accounts.get(address);
  if (account === undefined) return;
  const fields = tokenAccount.decode(account);
  const data = tokenAccount.encode({ ...fields, amount: toLamports(fields.amount + change) });
  const lamports = isWrappedSol(fields) ? account.lamports + change : account.lamports;
  accounts.set(address, { ...account, data, lamports });
}

function setLoan(
  accounts: Accounts,
  { obligation, program }: LoanAddresses & { readonly program: Address | undefined },
  after: NonNullable<SimulationOutcome['loan']>['after'],
): void {
  if (after === undefined || program === undefined) {
    accounts.set(obligation, undefined);
    return;
  }
  const lamports = accounts.get(obligation)?.lamports ?? rentExemptLamports(obligationLayout.size);
  accounts.set(obligation, { owner: program, data: obligationLayout.encode(after), lamports });
}
