import { describe, expect, test } from 'vitest';
import { type Address, toAddress } from '#core/base/encoding/address.ts';
import { claimBuilder } from '#core/builders/claims/claim-builder.ts';
import { simulateClaim } from '#core/builders/simulation/simulate-claim.ts';
import { userStateAddress } from '#core/protocol/farms/pda.ts';
import { associatedTokenAddress } from '#core/protocol/spl/associated-token.ts';
import { TOKEN_PROGRAM } from '#core/protocol/spl/programs.ts';
import { buildFromInputs, loadExampleContext } from '../support/builders/load-build-context.ts';
import { catchError } from '../support/errors/catch-error.ts';
import { formatInstruction } from '../support/flows/expected-differences.ts';
import { readGoldenClusterFile } from '../support/flows/flow-context.ts';
import { buildVaultFlow, type VaultFlow, vaultFlows } from '../support/flows/vault-flows.ts';
import { goldenReader } from '../support/golden/golden-reader.ts';
import { exampleAddress } from '../support/lending/example-lending.ts';

type Farms = { readonly collateralFarm: string | null; readonly debtFarm: string | null };

const cluster = readGoldenClusterFile();
const flows = vaultFlows();
const market = cluster.markets.find(({ name }) => name === 'Main Market');
const farmsOf = (symbol: string) => market?.reserves[symbol] as unknown as Farms;
const COLLATERAL = toAddress(farmsOf('USDC').collateralFarm ?? '');
const DEBT = toAddress(farmsOf('USDC').debtFarm ?? '');
const SOL_COLLATERAL = toAddress(farmsOf('SOL').collateralFarm ?? '');
const MARKET = toAddress(market?.address ?? '');

const wallet = (name: string): Address =>
  toAddress(cluster.users.find((user) => user.name === name)?.address ?? '');

const ALICE = wallet('alice');
const LOAN = toAddress(
  cluster.users.find(({ name }) => name === 'alice')?.obligations[0]?.address ?? '',
);

/** The cluster before a flow. */
function clusterBefore(number: number): VaultFlow {
  const found = flows.find((flow) => flow.number === number);
  if (found === undefined) throw new Error(`no flow ${number}`);
  return found;
}

describe('rewards of a loan', () => {
  test('52: also claims the other farm of the reserve, unlike the client', () => {
    const [additional, ...others] = buildVaultFlow(clusterBefore(52)).instructions;
    const addresses = additional?.accounts.map(({ address }) => address) ?? [];
    expect(addresses.slice(0, 3)).toEqual([ALICE, userStateAddress(COLLATERAL, LOAN), COLLATERAL]);
    const kmno = toAddress('KMNo3nJsBXfcpJTVhZcXLW7RmTwTt4GVFE7suUBo9sS');
    expect(addresses.slice(4, 6)).toEqual([
      kmno,
      associatedTokenAddress(ALICE, kmno, TOKEN_PROGRAM),
    ]);
    expect(others).toHaveLength(1);
  });

  test('a claim for a market covers all its reserves', () => {
    const { instructions, plan } = buildFromInputs(
      claimBuilder,
      { wallet: ALICE, market: MARKET },
      clusterBefore(51),
    );
    expect(instructions.map(formatInstruction).sort()).toEqual([
      'createIdempotent',
      'harvestReward(0)',
      'harvestReward(0)',
      'harvestReward(0)',
    ]);
    const farms = instructions.flatMap(({ accounts }) =>
      [COLLATERAL, DEBT, SOL_COLLATERAL].filter((farm) =>
        accounts.some(({ address }) => address === farm),
      ),
    );
    expect(farms.sort()).toEqual([COLLATERAL, DEBT, SOL_COLLATERAL].sort());
    expect(plan.receives).toHaveLength(2);
  });

  test('can be claimed after the loan is closed', () => {
    const { accounts, at } = clusterBefore(51);
    const without = new Map([...accounts].filter(([address]) => address !== LOAN));
    const readable = { state: goldenReader({ at, accounts: without }), accounts: without };
    const request = { wallet: ALICE, market: MARKET };
    const { instructions } = buildFromInputs(claimBuilder, request, readable);
    expect(instructions).toHaveLength(4);
    const { context } = loadExampleContext(claimBuilder, request, readable);
    expect(simulateClaim(request, context).failure).toBeUndefined();
  });

  test('a wallet that never had a loan has none', () => {
    const request = { wallet: exampleAddress('nobody'), market: MARKET };
    expect(catchError(() => buildFromInputs(claimBuilder, request, clusterBefore(51)))?.code).toBe(
      'KLEND_OBLIGATION_NOT_FOUND',
    );
  });

  test('belong to the requested loan', () => {
    const request = {
      wallet: ALICE,
      market: MARKET,
      obligation: {
        kind: 'lending',
        mint: toAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'),
      },
    } as const;
    const needs = claimBuilder.requiredAccounts(request, {
      ...clusterBefore(51),
      accounts: new Map(),
    });
    const lending = cluster.users
      .find(({ name }) => name === 'alice')
      ?.obligations.find(({ kind }) => kind.tag === 2)?.address;
    expect(needs).toContain(lending);
    expect(needs).toContain(userStateAddress(COLLATERAL, toAddress(lending ?? '')));
  });
});
