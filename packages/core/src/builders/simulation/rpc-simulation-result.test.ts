import { expect, test } from 'vitest';
import { loadExampleContext } from '../../../../../test/support/builders/load-build-context.ts';
import { lendingBuilders, lendingFlows } from '../../../../../test/support/flows/lending-flows.ts';
import { vaultFlows } from '../../../../../test/support/flows/vault-flows.ts';
import type { Address } from '../../base/encoding/address.ts';
import { toLamports } from '../../base/numbers/lamports.ts';
import { tokenAccount } from '../../protocol/spl/layout/token-account.ts';
import type { BuildContext, WalletAccount } from '../build.ts';
import { vaultWithdrawBuilder } from '../vaults/vault-withdraw-builder.ts';
import { loanAddressesOf } from './loan-reports.ts';
import { simulationAddresses, walletChangesOfSimulation } from './rpc-simulation-result.ts';

function lendingFlow(number: number) {
  const flow = lendingFlows().find((each) => each.number === number);
  if (flow === undefined) throw new Error('no such flow');
  const { intent, request } = flow;
  const { context } = loadExampleContext(lendingBuilders[intent], request, flow);
  const build = lendingBuilders[intent].build(request, context);
  return { context, build, request, loan: loanAddressesOf(intent, request, flow.state) };
}

/** A withdrawal of shares, without amounts in the plan. */
function vaultFlow() {
  const flow = vaultFlows().find(({ number }) => number === 42);
  if (flow?.request.kind !== 'withdraw') throw new Error('no such flow');
  const { request } = flow.request;
  const { context } = loadExampleContext(vaultWithdrawBuilder, request, flow);
  const { pays, receives, ...plan } = vaultWithdrawBuilder.build(request, context).plan;
  const build = vaultWithdrawBuilder.build(request, context);
  return {
    context,
    receives,
    build: { ...build, plan: { ...plan, pays: [], receives: [] } },
  };
}

/** The same accounts with another balance in one of them. */
function withAmount(context: BuildContext, address: Address, amount: bigint) {
  const account = context.accounts.get(address);
  if (account === undefined) throw new Error('no such account');
  const token = { ...tokenAccount.decode(account), amount: toLamports(amount) };
  return new Map<Address, WalletAccount | undefined>([
    ...context.accounts,
    [address, { ...account, data: tokenAccount.encode(token) }],
  ]);
}

const tokensOf = ({ accounts }: BuildContext) =>
  [...accounts].flatMap(([address, account]) =>
    account !== undefined && tokenAccount.matches(account)
      ? [{ address, ...tokenAccount.decode(account) }]
      : [],
  );

test('a simulation returns the written accounts of the wallet and the reserves of its loan', () => {
  const { build, context, loan, request } = lendingFlow(4);
  const returned = simulationAddresses(build, context, loan);
  const written = build.instructions.flatMap(({ accounts }) =>
    accounts.filter(({ role }) => role % 2 === 1).map(({ address }) => address),
  );
  expect(returned).toEqual(
    expect.arrayContaining([request.wallet, loan.obligation, request.reserve]),
  );
  expect(returned.every((address) => written.includes(address))).toBe(true);
  const withoutLoan = simulationAddresses(build, context, undefined);
  expect(withoutLoan.filter((address) => context.state.reserve(address))).toEqual([]);
  expect(withoutLoan.every((address) => context.accounts.has(address))).toBe(true);
});

test('unchanged accounts give no changes', () => {
  const { build, context } = lendingFlow(4);
  expect(walletChangesOfSimulation(build, context, context.accounts)).toEqual({
    tokens: [],
    lamports: 0n,
  });
});

test('token accounts of other owners are ignored', () => {
  const { build, context } = lendingFlow(4);
  const [token] = tokensOf(context);
  if (token === undefined) throw new Error('no token');
  const after = withAmount(context, token.address, token.amount + 7n);
  expect(walletChangesOfSimulation(build, context, after).tokens).toMatchObject([
    { mint: token.mint, change: 7n },
  ]);
  const other = { ...build, wallet: token.mint };
  expect(walletChangesOfSimulation(other, context, after).tokens).toEqual([]);
});

test('decimals of a token outside the plan come from the vault', () => {
  const { build, context, receives } = vaultFlow();
  const changes = tokensOf(context).map(({ address, amount }) => {
    const after = withAmount(context, address, amount + 1n);
    return walletChangesOfSimulation(build, context, after).tokens;
  });
  expect(changes.flat().map(({ decimals }) => decimals)).toEqual(changes.map(() => 6));
  expect(changes.flat().some(({ mint }) => mint === receives[0]?.mint)).toBe(true);
});
