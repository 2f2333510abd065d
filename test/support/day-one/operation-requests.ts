export type OperationRequest = {
  readonly operationId: string;
  readonly path: string;
  /** The body of a POST. */
  readonly body?: unknown;
};

/** Addresses that requests are made of. */
export type Subject = {
  readonly wallet: string;
  readonly market: string;
  readonly reserve: string;
  readonly obligation: string;
  readonly vault: string;
  readonly sharesMint: string;
  readonly farm: string;
};

type Operation = { readonly operationId: string };
export type OpenApi = { readonly paths: Readonly<Record<string, Record<string, Operation>>> };

const NO_RESERVE = '11111111111111111111111111111111';
/** Of no transaction. */
const NO_SIGNATURE = '1'.repeat(64);

/** Operations about the process, those whose response contains a blockhash, repeats the request or does not end, and webhooks. */
const LEFT_OUT =
  /^(getHealth|getReadiness|getStatus|getMetrics|getProof|getOpenApi|getDocs\w*|build\w+Tx|plan\w+|decodeTransaction|suggestPriorityFee|getTransactionOutcome|streamTransactions|[a-z]+Hooks?([A-Z]\w+)?)$/;

/** One request for each operation of the document that reads cluster data. */
export function listOperationRequests(document: OpenApi, subject: Subject): OperationRequest[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => {
      if (LEFT_OUT.test(operationId)) return [];
      const path = fillPath(template, operationId, subject);
      if (method === 'get') return [{ operationId, path }];
      return [{ operationId, path, body: bodyOf(operationId, subject) }];
    }),
  );
}

function fillPath(template: string, operationId: string, subject: Subject): string {
  const path = template.replace(/\{(\w+)\}/g, (_, name) => parameterValue(name, template, subject));
  if (operationId.startsWith('getManagedLookupTables')) {
    return `${path}?productIdentifierAddress=${subject.vault}`;
  }
  if (/^(listLiquidatableLoans|listReserveStats)$/.test(operationId)) {
    return `${path}?market=${subject.market}`;
  }
  return operationId === 'listReserveAccounts' ? `${path}?markets=${subject.market}` : path;
}

export function parameterValue(name: string, template: string, subject: Subject): string {
  const values: Readonly<Record<string, string>> = {
    marketPubkey: subject.market,
    userPubkey: subject.wallet,
    obligationPubkey: subject.obligation,
    vaultPubkey: subject.vault,
    reservePubkey: subject.reserve,
    market: subject.market,
    reserve: subject.reserve,
    mint: subject.sharesMint,
    depositReservePubkey: subject.reserve,
    borrowReservePubkey: NO_RESERVE,
    farmPubkey: subject.farm,
    productType: 'vault',
    signature: NO_SIGNATURE,
    pubkey: pubkeyOf(template, subject),
  };
  const value = values[name];
  if (value === undefined) throw new Error(`no value for ${name} of ${template}`);
  return value;
}

/** What `pubkey` is depends on the path. */
function pubkeyOf(template: string, subject: Subject): string {
  if (/\/users\/|\/portfolio\/|\/owners\//.test(template)) return subject.wallet;
  if (template.startsWith('/kvaults/mints/')) return subject.sharesMint;
  if (template.startsWith('/kvaults/')) return subject.vault;
  const isLoan = /\/addresses\/|\/klend\/loans\/|\/obligations\/\{pubkey\}/.test(template);
  return isLoan ? subject.obligation : subject.market;
}

export function bodyOf(operationId: string, subject: Subject): unknown {
  const { wallet, market, reserve, vault: kvault } = subject;
  if (operationId === 'findLookupTables') return { addresses: [market, reserve] };
  if (/^query\w*VaultTransactions$/.test(operationId)) return { instruction: 'deposit' };
  if (operationId.startsWith('queryMarketTransactions')) return { instruction: 'deposit' };
  if (operationId.startsWith('buildVault')) return { wallet, kvault, amount: '0.01' };
  if (operationId.startsWith('buildFarmClaim')) return { wallet, market };
  if (operationId === 'planVaultExit') return { wallet, kvault };
  if (operationId === 'planLoanExit') return { wallet, market };
  if (operationId.startsWith('buildLiquidation')) return liquidationBody(subject);
  if (/^build(Multiply|Deleverage)/.test(operationId)) return leverageBody(operationId, subject);
  return { wallet, market, reserve, amount: '0.01' };
}

const liquidationBody = ({ wallet, market, obligation, reserve }: Subject) => ({
  wallet,
  market,
  loan: obligation,
  repayReserve: reserve,
  withdrawReserve: reserve,
  amount: 'U64::MAX',
});

/** A program that no cluster of the tests has. */
const SWAP_PROGRAM = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';

function leverageBody(operationId: string, { wallet, market, reserve }: Subject) {
  const accounts = [{ address: wallet, role: 'WRITABLE_SIGNER' }];
  const swap = { instructions: [{ programAddress: SWAP_PROGRAM, accounts, data: 'AQID' }] };
  const reserves = { wallet, market, collateralReserve: reserve, debtReserve: reserve, swap };
  return operationId.startsWith('buildMultiply')
    ? { ...reserves, flashLoanAmount: '0.01', borrowAmount: '0.001' }
    : { ...reserves, repayAmount: '0.001', withdrawAmount: '0.001' };
}
