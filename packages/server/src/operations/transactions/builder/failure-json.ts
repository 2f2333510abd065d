import {
  formatInstant,
  formatSf,
  formatUnits,
  type Slot,
  sfFromBits,
  toUnixSeconds,
} from '@tidegate/core/base';
import type { FailureFigures, TokenAmount } from '@tidegate/core/builders';
import type { Static } from 'typebox';
import { adviseOnFailure } from './failure-advice.ts';
import { type FiguresJson, withUnit } from './failure-figures.ts';
import type { PreviewFailure } from './preview.ts';
import type { PreviewError } from './preview-schema.ts';
import type { TokenSymbolLookup } from './token-symbols.ts';

type Json = Static<typeof PreviewError>;

const SOL_DECIMALS = 9;

/** Enough for a dollar value or a ratio. */
const DIGITS = 20;

/** The program's error code without a known meaning. */
const UNNAMED = 'Custom';

/** `slot`: of the local simulation, which the figures come from. */
export function failureJson(
  failure: PreviewFailure,
  { symbols, slot }: { readonly symbols: TokenSymbolLookup; readonly slot: Slot },
): Json {
  const { program, programAddress, code, name = UNNAMED, instructionIndex } = failure;
  const { maxAmount, suggestedAmount, isOutOfUnits } = failure;
  const figures = failure.figures && figuresJson(failure.figures, { symbols, slot });
  const wholeTokens = (amount: TokenAmount) => formatUnits(amount.amount, amount.decimals);
  const withSymbol = (amount: TokenAmount) =>
    `${wholeTokens(amount)} ${symbols(amount.mint) ?? amount.mint}`;
  return {
    program: program ?? null,
    programAddress: programAddress ?? null,
    code: code ?? null,
    name,
    message: messageOf(failure, figures),
    action: adviseOnFailure({
      name,
      program,
      figures,
      maxAmount: maxAmount && withSymbol(maxAmount),
      suggestedAmount: suggestedAmount && withSymbol(suggestedAmount),
      isOutOfUnits,
    }),
    figures: figures ?? null,
    maxAmount: maxAmount === undefined ? null : wholeTokens(maxAmount),
    suggestedAmount: suggestedAmount === undefined ? null : wholeTokens(suggestedAmount),
    instructionIndex: instructionIndex ?? null,
  };
}

function figuresJson(
  figures: FailureFigures,
  { symbols, slot }: { readonly symbols: TokenSymbolLookup; readonly slot: Slot },
): FiguresJson {
  const { unit, token, account, needed, available, limit, until } = figures;
  const format = formatterOf(figures);
  const missing =
    needed !== undefined && available !== undefined && needed > available
      ? needed - available
      : undefined;
  const textOf = (value: bigint | undefined) => (value === undefined ? null : format(value));
  return {
    unit,
    account: account ?? null,
    mint: token?.mint ?? null,
    symbol: unit === 'sol' ? 'SOL' : token === undefined ? null : symbols(token.mint),
    needed: textOf(needed),
    available: textOf(available),
    missing: textOf(missing),
    limit: textOf(limit),
    until: until === undefined ? null : formatInstant(toUnixSeconds(until)),
    slot: slot.toString(),
  };
}

function formatterOf({ unit, token }: FailureFigures): (value: bigint) => string {
  if (unit === 'sol') return (value) => formatUnits(value, SOL_DECIMALS);
  if (unit === 'usd' || unit === 'ratio') return (value) => formatSf(sfFromBits(value), DIGITS);
  return (value) => formatUnits(value, token?.decimals ?? 0);
}

/** The meaning of the error, and the figures in the unit that a person reads. */
function messageOf(
  { name, message, meaning, program, code, programAddress }: PreviewFailure,
  figures: FiguresJson | undefined,
): string {
  const fallback =
    code === undefined
      ? 'The cluster rejects the transaction'
      : `The program ${program ?? programAddress ?? 'of the instruction'} fails with code ${code}`;
  const facts = figures === undefined ? [] : figureClauses(figures, name);
  if (facts.length === 0) return sentence(message ?? fallback);
  return `${sentence(meaning ?? message ?? fallback)} ${sentence(facts.join('; '))}`;
}

/** What `available` is, if it is not a balance or a limit. */
const availableLabels: Readonly<Record<string, string>> = {
  DepositAmountBelowMinimum: 'would be deposited:',
  ProgramFailedToComplete: 'would be deposited:',
  MathOverflow: 'would be deposited:',
  WithdrawAmountBelowMinimum: 'would be paid out:',
};

function figureClauses(figures: FiguresJson, name = UNNAMED): string[] {
  const clause = (label: string, value: string | null) =>
    value === null ? [] : [`${label} ${withUnit(value, figures)}`];
  return [
    ...clause('needed:', figures.needed),
    ...clause(availableLabels[name] ?? 'available:', figures.available),
    ...clause('missing:', figures.missing),
    ...clause('limit:', figures.limit),
    ...(figures.until === null ? [] : [`until ${figures.until}`]),
  ];
}

/** Some errors of the programs have only a name for a message: its words make the sentence. */
function sentence(text: string): string {
  const words = /\s/.test(text) ? text : text.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const end = /[.!?]$/.test(words) ? '' : '.';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${end}`;
}
