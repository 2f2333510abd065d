import type { VerifiableRequest } from '../verifiable-request.ts';

/** The operation without the spelling of the OpenAPI document. */
export type BuilderName =
  | 'lend-deposit'
  | 'lend-borrow'
  | 'lend-repay'
  | 'lend-withdraw'
  | 'lend-liquidate'
  | 'lend-multiply'
  | 'lend-deleverage'
  | 'lend-exit'
  | 'vault-exit'
  | 'vault-deposit'
  | 'vault-withdraw'
  | 'farm-claim';

const names: Readonly<Record<VerifiableRequest['operation'], BuilderName>> = {
  'lend-deposit': 'lend-deposit',
  buildLendDepositTx: 'lend-deposit',
  'lend-borrow': 'lend-borrow',
  buildLendBorrowTx: 'lend-borrow',
  'lend-repay': 'lend-repay',
  buildLendRepayTx: 'lend-repay',
  'lend-withdraw': 'lend-withdraw',
  buildLendWithdrawTx: 'lend-withdraw',
  'lend-liquidate': 'lend-liquidate',
  buildLiquidationTx: 'lend-liquidate',
  'lend-multiply': 'lend-multiply',
  buildMultiplyTx: 'lend-multiply',
  'lend-deleverage': 'lend-deleverage',
  buildDeleverageTx: 'lend-deleverage',
  'lend-exit': 'lend-exit',
  planLoanExit: 'lend-exit',
  'vault-exit': 'vault-exit',
  planVaultExit: 'vault-exit',
  'vault-deposit': 'vault-deposit',
  buildVaultDepositTx: 'vault-deposit',
  'vault-withdraw': 'vault-withdraw',
  buildVaultWithdrawTx: 'vault-withdraw',
  'farm-claim': 'farm-claim',
  buildFarmClaimTx: 'farm-claim',
};

export const operationNames: ReadonlyMap<string, BuilderName> = new Map(Object.entries(names));
