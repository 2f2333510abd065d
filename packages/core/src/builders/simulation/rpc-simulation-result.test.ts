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
  const { scene } = loadExampleContext(lendingBuilders[intent], request, flow);
  const build = lendingBuilders[intent].build(request, scene);
  return { scene, build, request, place: loanAddressesOf(intent, request, flow.state) };
}

/** Shares of a vault whose token is not in the plan. */
function vaultFlow() {
  const flow = vaultFlows().find(({ number }) => number === 42);
  if (flow?.ask.kind !== 'withdraw') throw new Error('no such flow');
  const { request } = flow.ask;
  const { scene } = loadExampleContext(vaultWithdrawBuilder, request, flow);
  const { pays, receives, ...plan } = vaultWithdrawBuilder.build(request, scene).plan;
  const build = vaultWithdrawBuilder.build(request, scene);
  return { scene, receives, build: { ...build, plan: { ...plan, pays: [], receives: [] } } };
}

/** The same accounts, one of them holding so much. */
function withAmount(scene: BuildContext, address: Address, amount: bigint) {
  const account = scene.accounts.get(address);
  if (account === undefined) throw new Error('no such account');
  const token = { ...tokenAccount.decode(account), amount: toLamports(amount) };
  return new Map<Address, WalletAccount | undefined>([
    ...scene.accounts,
    [address, { ...account, data: tokenAccount.encode(token) }],
  ]);
}

const tokensOf = ({ accounts }: BuildContext) =>
  [...accounts].flatMap(([address, account]) =>
    account !== undefined && tokenAccount.matches(account)
      ? [{ address, ...tokenAccount.decode(account) }]
      : [],
  );

test('the wallet, its accounts and the reserves of its loan are watched, if they are written to', () => {
  const { build, scene, place, request } = lendingFlow(4);
  const watched = simulationAddresses(build, scene, place);
  const written = build.instructions.flatMap(({ accounts }) =>
    accounts.filter(({ role }) => role % 2 === 1).map(({ address }) => address),
  );
  expect(watched).toEqual(
    expect.arrayContaining([request.wallet, place.obligation, request.reserve]),
  );
  expect(watched.every((address) => written.includes(address))).toBe(true);
  const withoutLoan = simulationAddresses(build, scene, undefined);
  expect(withoutLoan.filter((address) => scene.state.reserve(address))).toEqual([]);
  expect(withoutLoan.every((address) => scene.accounts.has(address))).toBe(true);
});

test('what nobody touched is no change', () => {
  const { build, scene } = lendingFlow(4);
  expect(walletChangesOfSimulation(build, scene, scene.accounts)).toEqual({
    tokens: [],
    lamports: 0n,
  });
});

test('tokens of somebody else are not the wallet’s', () => {
  const { build, scene } = lendingFlow(4);
  const [token] = tokensOf(scene);
  if (token === undefined) throw new Error('no token');
  const after = withAmount(scene, token.address, token.amount + 7n);
  expect(walletChangesOfSimulation(build, scene, after).tokens).toMatchObject([
    { mint: token.mint, change: 7n },
  ]);
  const other = { ...build, wallet: token.mint };
  expect(walletChangesOfSimulation(other, scene, after).tokens).toEqual([]);
});

test('decimals of what the plan does not name come from the vault', () => {
  const { build, scene, receives } = vaultFlow();
  const changes = tokensOf(scene).map(({ address, amount }) => {
    const after = withAmount(scene, address, amount + 1n);
    return walletChangesOfSimulation(build, scene, after).tokens;
  });
  expect(changes.flat().map(({ decimals }) => decimals)).toEqual(changes.map(() => 6));
  expect(changes.flat().some(({ mint }) => mint === receives[0]?.mint)).toBe(true);
});
