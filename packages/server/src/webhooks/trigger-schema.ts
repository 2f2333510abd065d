import { type Issue, parseAddress, parseDecimal } from '@tidegate/core/base';
import { PROGRAM_NAMES } from '@tidegate/core/protocol/releases';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { HOOK_DIRECTIONS, HOOK_TYPES, type HookTrigger } from '../clusters/cluster-hooks.ts';
import { CodedError } from '../errors.ts';
import { describe } from '../http/schemas/describe.ts';
import { AddressString, DecimalString } from '../http/schemas/primitives.ts';

const address = (description: string) => Type.Optional(describe(AddressString, description));
const oneOf = <const Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], description });

/** The fields of all types. `checkTrigger` knows which of them belong together. */
export const TriggerSchema = Type.Object(
  {
    type: oneOf(
      HOOK_TYPES,
      'loanHealth: LTV or distance to liquidation crosses a threshold; liquidation: a loan is liquidated; vaultApy: apyActual of a vault; vaultLiquidity: tokens that can be withdrawn from a vault at once; reservePrice: USD per token; reserveCap: used part of the deposit or borrow limit; walletTransactions: every recorded event of a wallet; programUpgraded: a program of the cluster is replaced by another release',
    ),
    obligation: address('Address of the loan, for loanHealth and liquidation'),
    wallet: address(
      'Address of the wallet, for walletTransactions, and for all its loans with loanHealth and liquidation',
    ),
    vault: address('Address of the vault, for vaultApy and vaultLiquidity'),
    reserve: address('Address of the reserve, for reservePrice and reserveCap'),
    program: Type.Optional(
      oneOf(PROGRAM_NAMES, 'For programUpgraded, by default all of these programs'),
    ),
    metric: Type.Optional(
      oneOf(
        ['ltv', 'distanceToLiquidation'],
        'For loanHealth, by default ltv. distanceToLiquidation is the part by which the value of the deposits can fall until the loan can be liquidated',
      ),
    ),
    cap: Type.Optional(oneOf(['deposit', 'borrow'], 'For reserveCap')),
    threshold: Type.Optional(
      describe(
        DecimalString,
        'Value to cross: a fraction for loanHealth, vaultApy and reserveCap, whole tokens for vaultLiquidity, USD for reservePrice',
      ),
    ),
    hysteresis: Type.Optional(
      describe(
        DecimalString,
        'How far back over the threshold the value must go before the next crossing counts, in the unit of the threshold; by default 1 % of the threshold',
      ),
    ),
    direction: Type.Optional(
      oneOf(
        HOOK_DIRECTIONS,
        'Crossings to report, by default both. The alert direction crosses exactly at the threshold',
      ),
    ),
  },
  { title: 'HookTrigger' },
);

type FieldName = Exclude<keyof HookTrigger, 'type'>;
type Rule = {
  /** Exactly one of them, unless it is empty. */
  readonly subject: readonly FieldName[];
  readonly required?: readonly FieldName[];
  readonly optional?: readonly FieldName[];
};

const crossing = { required: ['threshold'], optional: ['hysteresis', 'direction'] } as const;

const rules: Readonly<Record<HookTrigger['type'], Rule>> = {
  loanHealth: {
    ...crossing,
    subject: ['obligation', 'wallet'],
    optional: [...crossing.optional, 'metric'],
  },
  liquidation: { subject: ['obligation', 'wallet'] },
  vaultApy: { ...crossing, subject: ['vault'] },
  vaultLiquidity: { ...crossing, subject: ['vault'] },
  reservePrice: { ...crossing, subject: ['reserve'] },
  reserveCap: { ...crossing, subject: ['reserve'], required: ['threshold', 'cap'] },
  walletTransactions: { subject: ['wallet'] },
  programUpgraded: { subject: [], optional: ['program'] },
};

const ADDRESSES: readonly FieldName[] = ['obligation', 'wallet', 'vault', 'reserve'];

/** Throws INVALID_BODY with all issues of fields that are missing, invalid or of another type. */
export function checkTrigger(trigger: HookTrigger): HookTrigger {
  const { subject, required = [], optional = [] } = rules[trigger.type];
  const names = Object.keys(trigger).filter((name) => name !== 'type') as FieldName[];
  const given = names.filter((name) => trigger[name] !== undefined);
  const allowed: readonly FieldName[] = [...subject, ...required, ...optional];
  const issues = [
    ...given
      .filter((name) => !allowed.includes(name))
      .map((name) => issue(name, `${trigger.type} has no ${name}`)),
    ...required
      .filter((name) => !given.includes(name))
      .map((name) => issue(name, `${trigger.type} needs ${name}`)),
    ...(subject.filter((name) => given.includes(name)).length === Math.min(subject.length, 1)
      ? []
      : [issue(subject[0] ?? 'wallet', `${trigger.type} needs ${subject.join(' or ')}`)]),
    ...ADDRESSES.filter((name) => given.includes(name) && !isAddress(trigger[name])).map((name) =>
      issue(name, `${name} must be the base58 encoding of 32 bytes`),
    ),
    ...negativeIssues(trigger),
  ];
  if (issues.length > 0) throw new CodedError('INVALID_BODY', { issues });
  return trigger;
}

const isAddress = (text: string | undefined): boolean =>
  text !== undefined && parseAddress(text) !== undefined;

/** Throws INVALID_DECIMAL for a number with too many digits. */
function negativeIssues({ threshold = '0', hysteresis = '0' }: HookTrigger): Issue[] {
  parseDecimal(threshold);
  if (parseDecimal(hysteresis).numerator >= 0n) return [];
  return [issue('hysteresis', 'hysteresis must not be negative')];
}

const issue = (name: string, message: string): Issue => ({
  path: ['trigger', name],
  code: 'invalid_trigger',
  message: `${message}.`,
});

const validator = Compile(TriggerSchema);

/** A trigger as it is stored. Throws MALFORMED_DATA. */
export function parseStoredTrigger(text: string): HookTrigger {
  const stored: unknown = JSON.parse(text);
  if (validator.Check(stored)) return stored;
  throw new CodedError('MALFORMED_DATA', {
    what: 'trigger',
    reason: 'its fields are not the expected ones',
  });
}
