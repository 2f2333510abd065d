import type { ActionName } from '../../routing/build-fields.ts';

/** What an action needs beside the wallet. */
type ActionTarget = 'reserve' | 'leverage' | 'loan' | 'liquidation' | 'vault' | 'rewards';

type Action = {
  readonly title: string;
  readonly target: ActionTarget;
  /** Whether it has an amount of one token; leverage has one of each. */
  readonly hasAmount: boolean;
  /** Whether everything can be requested instead of an amount. */
  readonly acceptsAll: boolean;
  /** What it does, in one sentence. */
  readonly help: string;
};

export const actions: Readonly<Record<ActionName, Action>> = {
  deposit: {
    title: 'Deposit',
    target: 'reserve',
    hasAmount: true,
    acceptsAll: false,
    help: 'Lends tokens of the wallet. They earn interest and are collateral of the loan.',
  },
  borrow: {
    title: 'Borrow',
    target: 'reserve',
    hasAmount: true,
    acceptsAll: false,
    help: 'Takes tokens against the deposits of the loan.',
  },
  repay: {
    title: 'Repay',
    target: 'reserve',
    hasAmount: true,
    acceptsAll: true,
    help: 'Pays back a debt of the loan, at most all of it.',
  },
  withdraw: {
    title: 'Withdraw',
    target: 'reserve',
    hasAmount: true,
    acceptsAll: true,
    help: 'Takes a deposit out of the loan, as far as its debts allow.',
  },
  multiply: {
    title: 'Multiply',
    target: 'leverage',
    hasAmount: false,
    acceptsAll: false,
    help: 'Raises the leverage of a loan: a flash loan of collateral is deposited, and repaid with borrowed tokens that are swapped.',
  },
  deleverage: {
    title: 'Deleverage',
    target: 'leverage',
    hasAmount: false,
    acceptsAll: true,
    help: 'Lowers the leverage of a loan: a flash loan repays debt, and is repaid with withdrawn collateral that is swapped.',
  },
  exit: {
    title: 'Close loan',
    target: 'loan',
    hasAmount: false,
    acceptsAll: false,
    help: 'Repays every debt from the wallet, withdraws every deposit and claims the rewards, in as many transactions as it takes.',
  },
  liquidate: {
    title: 'Liquidate',
    target: 'liquidation',
    hasAmount: true,
    acceptsAll: true,
    help: 'Repays a debt of somebody’s loan that is above its threshold, for its collateral and a bonus.',
  },
  'vault-deposit': {
    title: 'Vault deposit',
    target: 'vault',
    hasAmount: true,
    acceptsAll: false,
    help: 'Buys shares of an earn vault, which lends the tokens.',
  },
  'vault-withdraw': {
    title: 'Vault withdraw',
    target: 'vault',
    hasAmount: true,
    acceptsAll: true,
    help: 'Sells shares of an earn vault for its tokens. The amount is in shares.',
  },
  'vault-exit': {
    title: 'Leave vault',
    target: 'vault',
    hasAmount: false,
    acceptsAll: false,
    help: 'Sells all shares of an earn vault and claims its rewards, in as many transactions as it takes.',
  },
  claim: {
    title: 'Claim rewards',
    target: 'rewards',
    hasAmount: false,
    acceptsAll: false,
    help: 'Collects every reward of a vault, loan or market that can be claimed now.',
  },
};

/** The URL’s word for everything. */
export const ALL = 'all';
