import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ProcessMetrics } from '../http/process-metrics.ts';
import { operations } from './index.ts';
import type { OperationContext, OperationPlugin } from './operation-context.ts';

const folder = new URL('./', import.meta.url);

/** Operations that are not in the contract. */
const additions = [
  'buildDeleverageIxs',
  'buildDeleverageTx',
  'buildFarmClaimIxs',
  'buildFarmClaimTx',
  'buildLiquidationIxs',
  'buildLiquidationTx',
  'buildMultiplyIxs',
  'buildMultiplyTx',
  'createHook',
  'decodeTransaction',
  'deleteHook',
  'enableHook',
  'getDocs',
  'getDocsAddresses',
  'getDocsAsset',
  'getDocsSearch',
  'getExplorerAsset',
  'getExplorerPage',
  'getGuide',
  'getGuideExample',
  'getHealth',
  'getHook',
  'getLlmsTxt',
  'getLoanLiquidations',
  'getMarketReserveStats',
  'getMetrics',
  'getOpenApi',
  'getOperationPage',
  'getOwnerNetValueHistory',
  'getPriceMoves',
  'getProof',
  'getReadiness',
  'getReserveStats',
  'getStakingYieldHistory',
  'getStartPage',
  'getStatus',
  'getTransactionOutcome',
  'getUserVaultPnlBreakdown',
  'getWalletBalances',
  'getWithdrawQueue',
  'identifyAddress',
  'listCollateralReserves',
  'listHookDeliveries',
  'listHooks',
  'listLiquidatableLoans',
  'listPriceGroups',
  'listRecentEvents',
  'listReserveRewards',
  'listReserveStats',
  'listTokenPrices',
  'listUserWithdrawTickets',
  'planLoanExit',
  'planVaultExit',
  'replayHookDeliveries',
  'rotateHookSecret',
  'sendDemoTransaction',
  'streamTransactions',
  'suggestPriorityFee',
  'testHook',
];

/** Operations of the contract that are not served. */
const notServed = [
  'getForfeitedPool',
  'getPrivateCreditHistory',
  'getPrivateCreditMetrics',
  'getYieldHistory',
  'listAirdropTotals',
  'listPrincipalTokenYields',
  'listUsdBenchmarkRates',
  'registerVaultLookupTable',
];

type Document = { readonly paths: Record<string, Record<string, { operationId?: string }>> };

function contractOperationIds(): string[] {
  return ['core', 'extended'].flatMap((name) => {
    const file = new URL(`../../../../test/contract/${name}.openapi.json`, import.meta.url);
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Document;
    return Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
  });
}

/** Files that define operations, except the one that defines both operations of every builder. */
function operationFiles(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => name !== 'transactions/builder/define-builder.ts')
    .filter((name) =>
      /\bdefine(Operation|Builder|Plan|History|ComputedHistory)\(/.test(read(name)),
    );
}

const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** The ids of the operations that a plugin registers. */
async function operationIdsOf(plugin: OperationPlugin): Promise<string[]> {
  const ids: string[] = [];
  type Route = { readonly config: { readonly operation: { readonly operationId: string } } };
  const add = (_path: string, { config }: Route) => ids.push(config.operation.operationId);
  const metrics = new ProcessMetrics();
  const explorer = { pageHeaders: {} };
  const context = { metrics, explorer, clock: () => 0 } as unknown as OperationContext;
  await plugin(context)({ get: add, post: add, delete: add } as never, {});
  metrics.close();
  return ids;
}

test('every operation file is in the list, and exports each operation under its id', async () => {
  const files = operationFiles();
  expect(files.length).toBeGreaterThan(40);
  const index = read('index.ts');
  for (const file of files) {
    expect(index, file).toContain(`from './${file}';`);
    const { href } = new URL(file, folder);
    const exported = (await import(href)) as Record<string, OperationPlugin>;
    for (const [name, operation] of Object.entries(exported)) {
      expect(operations, `${name} of ${file}`).toContain(operation);
      expect(await operationIdsOf(operation), file).toEqual([name]);
    }
  }
});

test('the list has the operations of the contract and the known additions', async () => {
  const ids = (await Promise.all(operations.map(operationIdsOf))).flat();
  const served = contractOperationIds().filter((id) => !notServed.includes(id));
  expect(ids.sort()).toEqual([...served, ...additions].sort());
});
