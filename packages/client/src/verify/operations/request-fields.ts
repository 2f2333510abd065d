import { isAddress } from '../bytes/base58.ts';
import { KLEND_PROGRAMS, KVAULT_PROGRAMS } from '../bytes/programs.ts';
import { readGiven } from '../instructions/given-instructions.ts';
import type { VerifiableRequest } from '../verifiable-request.ts';
import { isEverything, MAX_DECIMALS, parseUnits, toUnsigned } from './amounts.ts';
import type { Findings } from './findings.ts';
import { LTV_DECIMALS } from './loan-to-value.ts';
import { type BuilderName, operationNames } from './operation-names.ts';

/** Undefined if the value is valid, otherwise what it must be. */
type Check = (value: unknown) => string | undefined;

const must =
  (be: string, isValid: (value: unknown) => boolean): Check =>
  (value) =>
    isValid(value) ? undefined : `must be ${be}`;

const isAddressText = (value: unknown): boolean => typeof value === 'string' && isAddress(value);

const address: Check = must('an address', isAddressText);
const flag: Check = must('true or false', (value) => typeof value === 'boolean');
const amount: Check = must(
  'a decimal number as a string',
  (value) =>
    typeof value === 'string' &&
    (isEverything(value) || parseUnits(value, MAX_DECIMALS) !== undefined),
);
const unsigned: Check = must(
  'a whole number, or one as a string',
  (value) => toUnsigned(value) !== undefined,
);
const wholeUpTo = (max: number): Check =>
  must(
    `a whole number up to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= max,
  );
const oneOf = (...values: readonly unknown[]): Check =>
  must(`one of ${values.join(', ')}`, (value) => values.includes(value));

const decimals: Check = wholeUpTo(MAX_DECIMALS);

const ratio: Check = must(
  'a number such as "0.75", with at most 18 decimals',
  (value) =>
    (typeof value === 'string' || typeof value === 'number') &&
    parseUnits(String(value), LTV_DECIMALS) !== undefined,
);

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !ArrayBuffer.isView(value);

const hasExactly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

const isByte = (value: unknown): boolean => wholeUpTo(255)(value) === undefined;

const isSeeds = (value: unknown): boolean =>
  isFields(value) &&
  hasExactly(value, ['tag', 'id', 'seed1', 'seed2']) &&
  isByte(value['tag']) &&
  isByte(value['id']) &&
  isAddressText(value['seed1']) &&
  isAddressText(value['seed2']);

const loan: Check = must(
  'the address of a loan, or its tag and id (0 to 255), seed1 and seed2 (addresses)',
  (value) => isAddressText(value) || isSeeds(value),
);

const programs: Check = must(
  'deployments of the programs, by the names klend and kvault',
  (value) =>
    isFields(value) &&
    Object.entries(value).every(
      ([name, program]) =>
        (name === 'klend' && KLEND_PROGRAMS.includes(String(program))) ||
        (name === 'kvault' && KVAULT_PROGRAMS.includes(String(program))),
    ),
);

const swap: Check = must(
  'an object with instructions, which have programAddress, accounts and data',
  (value) => readGiven(value) !== undefined,
);

type Fields = Readonly<Record<string, Check>>;

const common: Fields = {
  operation: () => undefined,
  wallet: address,
  computeUnitLimit: unsigned,
  computeUnitPrice: unsigned,
  maxPriorityFeeLamports: unsigned,
  programs,
};
const ofLoan: Fields = { ...common, market: address, loan, referrer: address };
const lending: Fields = { ...ofLoan, reserve: address, amount, decimals };
const leverage: Fields = {
  ...ofLoan,
  collateralReserve: address,
  debtReserve: address,
  swap,
  collateralDecimals: decimals,
  debtDecimals: decimals,
};
const ofVault: Fields = { ...common, kvault: address, farm: address, mayBePartial: flag };

/** A field that an operation does not have would not be checked, so it is refused. */
const fieldsOf: Readonly<Record<BuilderName, Fields>> = {
  'lend-deposit': lending,
  'lend-borrow': { ...lending, maxLtv: ratio },
  'lend-repay': { ...lending, maxAmount: amount },
  'lend-withdraw': { ...lending, maxLtv: ratio },
  'lend-liquidate': {
    ...common,
    market: address,
    loan: address,
    repayReserve: address,
    withdrawReserve: address,
    amount,
    minReceivedAmount: amount,
    decimals,
    maxAmount: amount,
  },
  'lend-multiply': {
    ...leverage,
    loanKind: oneOf('vanilla', 'multiply', 'leverage'),
    depositAmount: amount,
    flashLoanAmount: amount,
    borrowAmount: amount,
    maxLtv: ratio,
  },
  'lend-deleverage': {
    ...leverage,
    repayAmount: amount,
    withdrawAmount: amount,
    maxFlashLoanAmount: amount,
    maxLtv: ratio,
  },
  'lend-exit': { ...ofLoan, maxAmount: amount, maxLtv: ratio },
  'vault-exit': { ...ofVault, minShares: amount },
  'vault-deposit': { ...ofVault, amount, decimals, stake: flag },
  'vault-withdraw': {
    ...ofVault,
    amount,
    decimals,
    unit: oneOf('shares', 'tokens'),
    maxShares: amount,
    minShares: amount,
    totalShares: amount,
  },
  'farm-claim': { ...common, kvault: address, market: address, reserve: address, loan },
};

const LENDING = ['wallet', 'market', 'reserve', 'amount'];
const LEVERAGE = ['wallet', 'market', 'collateralReserve', 'debtReserve', 'swap'];

const required: Readonly<Record<BuilderName, readonly string[]>> = {
  'lend-deposit': LENDING,
  'lend-borrow': LENDING,
  'lend-repay': LENDING,
  'lend-withdraw': LENDING,
  'lend-liquidate': ['wallet', 'market', 'loan', 'repayReserve', 'withdrawReserve', 'amount'],
  'lend-multiply': [...LEVERAGE, 'flashLoanAmount', 'borrowAmount'],
  'lend-deleverage': [...LEVERAGE, 'repayAmount', 'withdrawAmount'],
  'lend-exit': ['wallet', 'market'],
  'vault-exit': ['wallet', 'kvault'],
  'vault-deposit': ['wallet', 'kvault', 'amount'],
  'vault-withdraw': ['wallet', 'kvault', 'amount'],
  'farm-claim': ['wallet'],
};

/** A copy of the request whose fields have their types; undefined, with findings, if one has not. */
export function readRequest(value: unknown, findings: Findings): VerifiableRequest | undefined {
  const invalid = (message: string) => findings.add('INVALID_REQUEST', message);
  if (!isFields(value)) {
    invalid('The request must be an object.');
    return undefined;
  }
  const request = definedFields(value);
  const { operation } = request;
  const name = typeof operation === 'string' ? operationNames.get(operation) : undefined;
  if (name === undefined) {
    invalid('The operation is not known.');
    return undefined;
  }
  const fields = fieldsOf[name];
  for (const [field, given] of Object.entries(request)) {
    const check = Object.hasOwn(fields, field) ? fields[field] : undefined;
    const problem = check === undefined ? 'is not a field of this operation' : check(given);
    if (problem !== undefined) invalid(`${field.slice(0, 40)} ${problem}.`);
  }
  for (const field of required[name]) {
    if (!Object.hasOwn(request, field)) invalid(`${field} is missing.`);
  }
  const hasTarget = Object.hasOwn(request, 'kvault') !== Object.hasOwn(request, 'market');
  if (name === 'farm-claim' && !hasTarget) invalid('A claim needs kvault or market, not both.');
  // each field has been checked
  return findings.reasons.length > 0 ? undefined : (request as unknown as VerifiableRequest);
}

/** An absent field may be given as undefined. */
const definedFields = (value: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined));
